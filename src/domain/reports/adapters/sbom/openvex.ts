import type { JsonPart } from '../../json/json-scanner.ts';
import { type LooseObject, list, object, objects, text, texts, withoutUndefined } from '../../json/loose-values.ts';
import type { ReportedDecision, ReportItem } from '../../report-items.ts';
import type { JsonAdapter } from '../adapter.ts';
import { rankedAdvisories } from '../taxonomy.ts';
import { packageOfRef } from './cyclonedx-reader.ts';

/** OpenVEX: decisions about advisories in packages. */
export const openvex = (): JsonAdapter => ({
  required: ['statements$'],
  paths: ['tooling', 'statements[]'],
  *take({ path, value }: JsonPart): Iterable<ReportItem> {
    if (path === 'tooling') {
      const name = text(value);
      if (name !== undefined) yield { kind: 'tool', name };
    } else yield* decisionsOf(object(value));
  },
});

function* decisionsOf(statement: LooseObject): Iterable<ReportItem> {
  const vulnerability = statement['vulnerability'];
  const named = object(vulnerability);
  const [advisory] = rankedAdvisories([
    ...texts(typeof vulnerability === 'string' ? vulnerability : []),
    ...texts([named['name'], named['@id']]),
    ...texts(named['aliases']),
  ]);
  const decision = decisionOf(statement);
  if (advisory === undefined || !decision) return;
  const packages = list(statement['products']).flatMap(refsOf).map(packageOfRef);
  for (const entry of packages.length > 0 ? packages : [{}])
    yield { kind: 'decision', ...decision, advisory, ...entry };
}

/** A statement with subcomponents is about the subcomponents. */
function refsOf(product: unknown): string[] {
  if (typeof product === 'string') return texts(product);
  const parts = objects(object(product)['subcomponents']);
  return (parts.length > 0 ? parts : [object(product)]).flatMap((entry) =>
    texts(object(entry['identifiers'])['purl'] ?? entry['@id']),
  );
}

function decisionOf(statement: LooseObject): ReportedDecision | undefined {
  const status = text(statement['status']);
  const action = text(statement['action_statement']);
  const words = [text(statement['justification']), text(statement['impact_statement']), action];
  const note = words.filter((entry) => entry !== undefined).join(': ') || undefined;
  const more = { source: 'vex' as const, ...withoutUndefined({ note }) };
  if (status === 'not_affected') return { ...more, state: 'ignored', reason: 'false_positive' };
  if (status === 'fixed') return { ...more, state: 'ignored' };
  if (status === 'under_investigation') return { ...more, state: 'reviewing' };
  return status === 'affected' && action !== undefined ? { ...more, state: 'fixing' } : undefined;
}
