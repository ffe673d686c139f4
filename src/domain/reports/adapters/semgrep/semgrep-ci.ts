import { normalisePath } from '../../identity/report-paths.ts';
import { usableId, withoutOrdinal } from '../../identity/tool-ids.ts';
import type { JsonPart } from '../../json/json-scanner.ts';
import {
  addAll,
  type LooseObject,
  nonEmptyObject,
  object,
  position,
  text,
  texts,
  withoutUndefined,
} from '../../json/loose-values.ts';
import type { ReportedDependency, ReportedFinding, ReportItem } from '../../report-items.ts';
import type { JsonAdapter } from '../adapter.ts';
import { withoutSecret } from '../mask-secrets.ts';
import {
  productOf,
  semgrepRuleFacts,
  semgrepSca,
  semgrepSeverity,
  transitivityOf,
  validationOf,
} from './semgrep-facts.ts';

const COVERAGE: Record<string, 'rulesRun' | 'pathsSearched' | 'pathsFailed' | 'renamedFrom'> = {
  'rule_ids[]': 'rulesRun',
  'searched_paths[]': 'pathsSearched',
  'skipped_paths[]': 'pathsFailed',
  'renamed_paths[]': 'renamedFrom',
};

/** The upload of `semgrep ci`. Its `token` is a credential and is never read. */
export function semgrepCi(): JsonAdapter {
  const coverage: { [K in (typeof COVERAGE)[string]]?: string[] } = {};
  return {
    required: ['findings$'],
    paths: ['findings[]', 'ignores[]', 'dependencies.*[]', ...Object.keys(COVERAGE)],
    *take({ path, value, key }: JsonPart): Iterable<ReportItem> {
      const member = COVERAGE[path];
      if (member !== undefined) {
        const names = texts(value);
        coverage[member] ??= [];
        addAll(coverage[member], member === 'rulesRun' ? names : names.map(normalisePath));
      } else if (path === 'dependencies.*[]') yield* dependencyOf(object(value), key ?? '');
      else yield* findingOf(object(value), path === 'ignores[]');
    },
    *finish(): Iterable<ReportItem> {
      const known = Object.entries(coverage).filter(([, names]) => names.length > 0);
      if (known.length > 0) yield { kind: 'coverage', ...Object.fromEntries(known) };
    },
  };
}

function* findingOf(value: LooseObject, isIgnored: boolean): Iterable<ReportItem> {
  const rule = text(value['check_id']);
  const path = text(value['path']);
  if (rule === undefined || path === undefined) {
    yield { kind: 'warning', message: 'A finding has no check_id or no path; it was left out.' };
    return;
  }
  const metadata = object(value['metadata']);
  const sca = semgrepSca(object(value['sca_info']), metadata);
  const id = usableId(text(value['match_based_id']));
  const validation = validationOf(value['validation_state']);
  const product = productOf(sca, metadata);
  const line = position(value['line']);
  const syntacticId = text(value['syntactic_id']);
  const codeDigest = text(object(value['hashes'])['code_hash']);
  const finding: ReportedFinding = withoutUndefined({
    product,
    rule,
    path: normalisePath(path),
    region: {
      line,
      column: position(value['column']),
      endLine: position(value['end_line']) || line,
      endColumn: position(value['end_column']),
    },
    message: text(value['message']) ?? rule,
    severity: semgrepSeverity(value['severity']),
    ...semgrepRuleFacts(metadata),
    codeDigest: codeDigest !== undefined && /^[\da-f]{64}$/.test(codeDigest) ? codeDigest : undefined,
    fingerprints: id === undefined ? {} : { 'matchBasedId/v1': withoutOrdinal(id) },
    matchBasedId: id,
    syntacticId: syntacticId !== undefined && /^[\da-f]{32}$/.test(syntacticId) ? syntacticId : undefined,
    fix: texts(value['fixed_lines']).join('\n') || undefined,
    trace: nonEmptyObject(value['dataflow_trace']),
    metadata: nonEmptyObject(metadata),
    isIgnoredInCode: isIgnored ? true : undefined,
    isBlocking: typeof value['is_blocking'] === 'boolean' ? value['is_blocking'] : undefined,
    sca,
    secret:
      product === 'secrets' ? withoutUndefined({ type: text(metadata['secret_type']) ?? rule, validation }) : undefined,
  });
  yield { kind: 'finding', ...withoutSecret(finding) };
}

function* dependencyOf(value: LooseObject, lockfile: string): Iterable<ReportItem> {
  const name = text(value['package']);
  if (name === undefined) return;
  const dependency: ReportedDependency = withoutUndefined({
    package: name,
    version: text(value['version']) ?? '',
    ecosystem: text(value['ecosystem']) ?? '',
    transitivity: transitivityOf(value['transitivity']),
    path: normalisePath(text(value['lockfile_path']) ?? lockfile),
    line: position(value['line_number']) || undefined,
    resolvedUrl: text(value['resolved_url']),
    manifestPath: text(value['manifest_path']),
  });
  yield { kind: 'dependency', ...dependency };
}
