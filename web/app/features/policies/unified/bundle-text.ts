import type { unifiedPolicies } from '#web/foundation/api/services.ts';

type Summary = Awaited<ReturnType<typeof unifiedPolicies.getDetectionPolicySummary>>;
export type DetectionBundle = NonNullable<Summary['code']>['bundle'];
type BundleException = DetectionBundle['exceptions'][number];

/** A detection policy as texts with one entry per line, which stay usable with thousands of rules. */
export interface DetectionTexts {
  rulesets: string;
  rules: string;
  disabled: string;
  exceptions: string;
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** `exclude rule acme.log project acme/web`. */
const lineOf = ({ exception_type: effect, rule_type: kind, rule, project, project_tag_name: tag }: BundleException) =>
  `${effect} ${kind} ${rule} ${project === undefined ? `tag ${tag ?? ''}` : `project ${project}`}`;

export const textsOf = ({ rulesets, rules, disabled, exceptions }: DetectionBundle): DetectionTexts => ({
  rulesets: rulesets.join('\n'),
  rules: rules.join('\n'),
  disabled: disabled.join('\n'),
  exceptions: exceptions.map(lineOf).join('\n'),
});

const EXCEPTION = /^(include|exclude)\s+(rule|pack)\s+(\S+)\s+(project|tag)\s+(.+)$/;

function exceptionOf(line: string): BundleException | undefined {
  const [, effect, kind, rule, scope, target] = EXCEPTION.exec(line) ?? [];
  if (effect === undefined || kind === undefined || rule === undefined || target === undefined) return undefined;
  return {
    ...{ exception_type: effect, rule_type: kind, rule },
    ...(scope === 'project' ? { project: target } : { project_tag_name: target }),
  };
}

/** The bundle of texts, or the line that cannot be read. */
export function bundleOf(texts: DetectionTexts): { bundle?: Partial<DetectionBundle>; wrongLine?: string } {
  const written = lines(texts.exceptions);
  const exceptions = written.map(exceptionOf);
  const wrongLine = written[exceptions.indexOf(undefined)];
  if (wrongLine !== undefined) return { wrongLine };
  return {
    bundle: {
      rulesets: lines(texts.rulesets),
      rules: lines(texts.rules),
      disabled: lines(texts.disabled),
      exceptions: exceptions.filter((exception) => exception !== undefined),
    },
  };
}

const scalarText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** A value as lines that name the member: `disabled: acme.log`. */
function linesOf(value: unknown, name = ''): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((item) => `${name}: ${scalarText(item)}`);
  if (typeof value !== 'object' || value === null) return [`${name}: ${scalarText(value)}`];
  return Object.entries(value).flatMap(([member, inner]) => linesOf(inner, name === '' ? member : `${name}.${member}`));
}

/** The lines of two values that differ, for a change that is shown before it is applied. */
export function differingLines(before: unknown, after: unknown): { removed: string[]; added: string[] } {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const [oldSet, freshSet] = [new Set(old), new Set(fresh)];
  return { removed: old.filter((line) => !freshSet.has(line)), added: fresh.filter((line) => !oldSet.has(line)) };
}
