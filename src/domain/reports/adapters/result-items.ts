import { normalisePath } from '../identity/report-paths.ts';
import { fingerprintsOf } from '../identity/tool-ids.ts';
import {
  type LooseObject,
  nonEmptyTexts,
  number,
  object,
  position,
  text,
  withoutUndefined,
} from '../json/loose-values.ts';
import type {
  Confidence,
  ReportedFinding,
  ReportedScaMatch,
  ReportedSecret,
  ReportItem,
  Severity,
  SourceRegion,
} from '../report-items.ts';
import { endpointOf } from './endpoint.ts';
import { withoutSecret } from './mask-secrets.ts';
import { cwesIn, owaspsIn, rankedAdvisories } from './taxonomy.ts';

/** What every result can have. Members are as the report has them: values of other types count as absent. */
export interface ResultFacts {
  rule: unknown;
  message?: unknown;
  title?: unknown;
  severity?: Severity | undefined;
  confidence?: Confidence | undefined;
  category?: unknown;
  /** Numbers or texts with CWE ids. */
  cwes?: unknown;
  owasps?: unknown;
  references?: unknown;
  fix?: unknown;
}

export interface FilePlace {
  file: unknown;
  line?: unknown;
  column?: unknown;
  endLine?: unknown;
  /** Exclusive. */
  endColumn?: unknown;
}

/** A string or number as text without surrounding space. */
export const word = (value: unknown): string | undefined => {
  const found = typeof value === 'string' ? value.trim() : number(value)?.toString();
  return found === '' ? undefined : found;
};

/** The first value that is a non-empty text or a number. */
export const firstWord = (...values: unknown[]): string | undefined => {
  for (const value of values) {
    const found = word(value);
    if (found !== undefined) return found;
  }
  return undefined;
};

const LEFT_OUT: ReportItem = { kind: 'warning', message: 'A result names no rule; it was left out.' };
export const NO_REGION: SourceRegion = { line: 0, column: 0, endLine: 0, endColumn: 0 };

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** CWE ids, written as numbers or in any text. */
export const cwesOf = (value: unknown): string[] | undefined =>
  cwesIn(
    asList(value).flatMap((entry) => {
      const found = word(entry);
      if (found === undefined) return [];
      return /^\d+$/.test(found) ? [`CWE-${found}`] : [found];
    }),
  );

export const regionOf = ({ line, column, endLine, endColumn }: Omit<FilePlace, 'file'>): SourceRegion => ({
  line: position(line),
  column: position(column),
  endLine: position(endLine) || position(line),
  endColumn: position(endColumn),
});

function commonFacts(rule: string, facts: ResultFacts) {
  const title = word(facts.title);
  return {
    rule,
    message: word(facts.message) ?? title ?? rule,
    title,
    severity: facts.severity,
    confidence: facts.confidence,
    category: word(facts.category),
    cwes: cwesOf(facts.cwes),
    owasps: owaspsIn(asList(facts.owasps).flatMap((entry) => word(entry) ?? [])),
    references: nonEmptyTexts(facts.references),
    fix: text(facts.fix),
  };
}

const pathOf = (file: unknown) => normalisePath(text(file) ?? '');

interface CodeFacts extends ResultFacts, FilePlace {
  code?: unknown;
  context?: unknown;
  scope?: unknown;
  trace?: ReportedFinding['trace'];
  /** The tool's own ids by kind. */
  fingerprints?: LooseObject;
  isIgnoredInCode?: boolean | undefined;
}

/** A finding in a file. */
export function codeResult(facts: CodeFacts): ReportItem {
  const rule = word(facts.rule);
  if (rule === undefined) return LEFT_OUT;
  return {
    kind: 'finding',
    ...withoutUndefined({
      product: 'sast' as const,
      ...commonFacts(rule, facts),
      path: pathOf(facts.file),
      region: regionOf(facts),
      code: text(facts.code),
      context: text(facts.context),
      scope: word(facts.scope),
      trace: facts.trace,
      fingerprints: fingerprintsOf(facts.fingerprints ?? {}),
      isIgnoredInCode: facts.isIgnoredInCode === true ? true : undefined,
    }),
  };
}

interface ComponentFacts extends Omit<ResultFacts, 'rule'>, FilePlace {
  /** Ids of the flaw in any order. */
  advisories: readonly unknown[];
  package: unknown;
  version?: unknown;
  ecosystem?: string | undefined;
  transitivity?: ReportedScaMatch['transitivity'];
  reachability?: ReportedScaMatch['reachability'];
  fixVersions?: unknown;
}

/** A vulnerable component. */
export function componentResult(facts: ComponentFacts): ReportItem {
  const advisories = rankedAdvisories(facts.advisories.flatMap((id) => word(id) ?? []));
  const [rule] = advisories;
  const name = word(facts.package);
  if (rule === undefined || name === undefined)
    return { kind: 'warning', message: 'A result names no advisory or no package; it was left out.' };
  return {
    kind: 'finding',
    ...withoutUndefined({
      product: 'sca' as const,
      ...commonFacts(rule, { ...facts, rule, message: firstWord(facts.message, facts.title) ?? `${rule} in ${name}` }),
      path: pathOf(facts.file),
      region: regionOf(facts),
      fingerprints: {},
      sca: withoutUndefined({
        advisories,
        package: name,
        version: word(facts.version) ?? '',
        ecosystem: facts.ecosystem ?? '',
        transitivity: facts.transitivity ?? ('unknown' as const),
        reachability: facts.reachability,
        fixVersions: nonEmptyTexts(asList(facts.fixVersions).flatMap((version) => word(version) ?? [])),
      }),
    }),
  };
}

interface SecretFacts extends ResultFacts, FilePlace {
  /** The kind of secret, if the rule does not name it. */
  type?: unknown;
  value?: unknown;
  valueDigest?: unknown;
  validation?: ReportedSecret['validation'];
  code?: unknown;
}

/** A leaked secret; code and message are masked. */
export function secretResult(facts: SecretFacts): ReportItem {
  const rule = word(facts.rule);
  if (rule === undefined) return LEFT_OUT;
  const finding: ReportedFinding = withoutUndefined({
    product: 'secrets' as const,
    ...commonFacts(rule, facts),
    path: pathOf(facts.file),
    region: regionOf(facts),
    code: text(facts.code),
    fingerprints: {},
    secret: withoutUndefined({
      type: word(facts.type) ?? rule,
      value: text(facts.value),
      valueDigest: word(facts.valueDigest),
      validation: facts.validation,
    }),
  });
  return { kind: 'finding', ...withoutSecret(finding) };
}

const MAX_EVIDENCE_LENGTH = 500;

interface EndpointFacts extends ResultFacts {
  /** A URL, or a host; query and fragment are not part of the place. */
  url: unknown;
  /** For a service that has no URL, with the protocol. */
  port?: unknown;
  method?: unknown;
  parameter?: unknown;
  /** What the service answered; shown, never compared. */
  evidence?: unknown;
}

/** A finding of a running service. */
export function endpointResult(facts: EndpointFacts): ReportItem {
  const rule = word(facts.rule);
  if (rule === undefined) return LEFT_OUT;
  const { method, parameter, evidence } = facts;
  const scope = [word(method)?.toUpperCase(), word(parameter)].filter((part) => part !== undefined).join(' ');
  const common = commonFacts(rule, facts);
  const shown = word(evidence)?.slice(0, MAX_EVIDENCE_LENGTH).toWellFormed();
  const path = endpointOf(word(facts.url) ?? '', word(facts.port));
  return placeResult({
    ...common,
    message: shown === undefined ? common.message : `${common.message}\n\nEvidence: ${shown}`,
    path,
    place: 'endpoint',
    scope: scope === '' ? undefined : scope,
  });
}

interface ResourceFacts extends ResultFacts {
  /** What identifies the resource, such as its ARN. */
  resource: unknown;
  scope?: unknown;
}

/** A finding of a cloud resource, a cluster object or a host. */
export function resourceResult(facts: ResourceFacts): ReportItem {
  const rule = word(facts.rule);
  if (rule === undefined) return LEFT_OUT;
  const path = word(facts.resource) ?? '';
  return placeResult({ ...commonFacts(rule, facts), path, place: 'resource', scope: word(facts.scope) });
}

/** The id contains the rule: ids that results of different rules share are not used. */
function placeResult(
  facts: ReturnType<typeof commonFacts> &
    Pick<ReportedFinding, 'path'> & {
      place: NonNullable<ReportedFinding['place']>;
      scope: string | undefined;
    },
): ReportItem {
  const id = [facts.rule, facts.path, facts.scope ?? ''].join('|');
  return {
    kind: 'finding',
    ...withoutUndefined({ product: 'sast' as const, ...facts, region: NO_REGION, fingerprints: { place: id } }),
  };
}

/** The tool, once the report states it. */
export function toolItem(name: string, version: unknown): ReportItem {
  return { kind: 'tool', name, ...withoutUndefined({ version: word(version) }) };
}

/** Members of nested objects: `inside(value, 'a', 'b')` is `value.a.b`. */
export const inside = (value: unknown, ...names: string[]): unknown => {
  let here = value;
  for (const name of names) here = object(here)[name];
  return here;
};
