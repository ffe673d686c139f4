import * as words from './enum-values.ts';
import {
  ADVISORY_FORMAT,
  CWE_FORMAT,
  FACT_FORMAT,
  LOWER_CASE_FORMAT,
  OWASP_FORMAT,
  OWNER_FORMAT,
  type ValueFormat,
} from './value-formats.ts';

export type FilterKeyKind = 'enum' | 'text' | 'glob' | 'number' | 'duration' | 'date' | 'day';

export interface FilterKeyDefinition {
  kind: FilterKeyKind;
  help: string;
  example: string;
  aliases: readonly string[];
  /** All that an enum can be; only what is offered for other kinds. */
  values: readonly words.EnumValue[];
  /** The words go from the highest to the lowest and can be compared. */
  isOrdered: boolean;
  format?: ValueFormat;
}

const row = (
  kind: FilterKeyKind,
  help: string,
  example: string,
  more: Partial<FilterKeyDefinition> = {},
): FilterKeyDefinition => ({
  aliases: [],
  values: [],
  isOrdered: false,
  ...more,
  kind,
  help,
  example,
});
const oneOf = (list: readonly words.EnumValue[], help: string, example: string, ...aliases: string[]) =>
  row('enum', help, example, { values: list, aliases });
const ordered = (list: readonly words.EnumValue[], help: string, example: string) =>
  row('enum', help, example, { values: list, isOrdered: true });
const glob = (help: string, example: string, ...aliases: string[]) => row('glob', help, example, { aliases });
const date = (help: string, example: string, ...aliases: string[]) => row('date', help, example, { aliases });
const day = (help: string, example: string) => row('day', help, example);

/** Every key of the filter grammar, one line each: parser, completion and reference page are made from it. */
export const FILTER_KEYS = {
  advisory: row('glob', 'CVE, GHSA or another id of a known flaw.', 'advisory:CVE-2021-44228', {
    aliases: ['cve', 'vulnerability'],
    format: ADVISORY_FORMAT,
  }),
  age: row('duration', 'Time since it was first seen.', 'age:>30d'),
  'as-of': day('At the end of which day `guardrail` is meant; else now.', 'as-of:2026-08-31'),
  backlog: day('It was open at the end of that day, by what is known now.', 'backlog:2026-08-31'),
  branch: glob('Branch or other ref it was found on.', 'branch:main,release/*', 'ref'),
  category: glob('Category of its rule.', 'category:security'),
  confidence: ordered(words.CONFIDENCE_VALUES, 'How sure the rule is.', 'confidence:>=medium'),
  cwe: row('text', 'Kind of weakness, as CWE numbers it.', 'cwe:79,89', { format: CWE_FORMAT }),
  ecosystem: row('text', 'Package manager of the dependency.', 'ecosystem:npm', {
    values: words.ECOSYSTEM_VALUES,
    format: LOWER_CASE_FORMAT,
  }),
  epss: row('number', 'Probability that the flaw is exploited, from 0 to 1.', 'epss:>=0.5'),
  exception: oneOf(words.EXCEPTION_VALUES, 'What became of requests to ignore it.', 'exception:requested'),
  expires: row('duration', 'Time until the decision about it ends.', 'expires:<14d'),
  fixed: date('When a scan no longer found it.', 'fixed:>=2026-08-01', 'fixed-at'),
  guardrail: oneOf(
    words.GUARDRAIL_OUTCOMES,
    'What became of it on pull requests where its policy shows it.',
    'guardrail:fixed',
  ),
  has: oneOf(words.HAS_VALUES, 'What it comes with.', 'has:fix -has:ticket'),
  ignored: date('When it was ignored; only what still is.', 'ignored:2026-08-01..2026-08-31'),
  is: oneOf(words.STATE_VALUES, 'State of triage and detection.', 'is:open', 'state', 'status'),
  mode: oneOf(words.MODE_VALUES, 'What its policy does about it.', 'mode:block'),
  opened: date('When it was first seen.', 'opened:2026-08-01..2026-08-31', 'first-seen'),
  owasp: row('text', 'Category of the OWASP lists, of any year or of one.', 'owasp:a03', { format: OWASP_FORMAT }),
  owner: row('glob', 'Team that owns its project, or one above that team.', 'owner:@payments', {
    aliases: ['team'],
    format: OWNER_FORMAT,
  }),
  package: glob('Name of the dependency.', 'package:@babel/*', 'dependency'),
  path: glob('File it is in.', 'path:src/*.ts', 'file'),
  project: glob('Project it was found in.', 'project:acme/*', 'repo', 'repository'),
  raised: date('When it came up on a pull request where its policy shows it.', 'raised:2026-08-01..2026-08-31'),
  'raised-as': row('text', 'What it was when it came up there.', 'raised-as:severity-high,rule-acme.sql', {
    values: words.RAISED_AS_FACTS,
    format: FACT_FORMAT,
  }),
  reachability: oneOf(
    words.REACHABILITY_VALUES,
    'Whether code uses the flaw of a dependency.',
    'reachability:reachable',
  ),
  reason: oneOf(words.REASON_VALUES, 'Why it is ignored.', 'reason:false-positive'),
  relevant: date('When it came up or came back.', 'relevant:>-30d'),
  rule: glob('Rule that found it.', 'rule:*.sql-injection'),
  scanner: glob('Tool that found it.', 'scanner:semgrep', 'tool'),
  seen: date('When a scan last found it.', 'seen:<-30d', 'last-seen'),
  severity: ordered(words.SEVERITY_VALUES, 'How bad it is.', 'severity:critical,high'),
  tag: glob('Tag of its project.', '-tag:legacy'),
  text: row('text', 'Words in its title, message, rule or path.', '"jwt"'),
  transitivity: oneOf(
    words.TRANSITIVITY_VALUES,
    'Whether the project names the dependency itself.',
    'transitivity:direct',
  ),
  triaged: date('When somebody last decided about it.', 'triaged:2026-08-01..2026-08-31'),
  type: oneOf(words.TYPE_VALUES, 'What kind of finding it is.', 'type:secret', 'product'),
  validity: oneOf(words.VALIDITY_VALUES, 'Whether a leaked credential works.', 'validity:valid'),
} satisfies Record<string, FilterKeyDefinition>;

export type FilterKey = keyof typeof FILTER_KEYS;

const NAMES = new Map(
  (Object.entries(FILTER_KEYS) as [FilterKey, FilterKeyDefinition][]).flatMap(([key, { aliases }]) =>
    [key, ...aliases].map((name): [string, FilterKey] => [name, key]),
  ),
);

/** Every name that a key goes by, with the key it stands for. */
export const filterKeyNames = (): Iterable<[name: string, key: FilterKey]> => NAMES;

/** The key that a name or an alias stands for, in any case. */
export const findFilterKey = (name: string): FilterKey | undefined => NAMES.get(name.toLowerCase());
