import * as enums from './enum-values.ts';
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
  /** All values of an enum; for other kinds only the suggested values. */
  values: readonly enums.EnumValue[];
  /** The values are listed from highest to lowest and can be compared. */
  isOrdered: boolean;
  format?: ValueFormat;
}

const define = (
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
const oneOf = (list: readonly enums.EnumValue[], help: string, example: string, ...aliases: string[]) =>
  define('enum', help, example, { values: list, aliases });
const ordered = (list: readonly enums.EnumValue[], help: string, example: string) =>
  define('enum', help, example, { values: list, isOrdered: true });
const glob = (help: string, example: string, ...aliases: string[]) => define('glob', help, example, { aliases });
const date = (help: string, example: string, ...aliases: string[]) => define('date', help, example, { aliases });
const day = (help: string, example: string) => define('day', help, example);

/** All keys of the filter grammar. Parser, completion and reference page are derived from this table. */
export const FILTER_KEYS = {
  advisory: define('glob', 'CVE, GHSA or another id of a vulnerability.', 'advisory:CVE-2021-44228', {
    aliases: ['cve', 'vulnerability'],
    format: ADVISORY_FORMAT,
  }),
  age: define('duration', 'Time since it was first seen.', 'age:>30d'),
  'as-of': day('The day at whose end `guardrail` applies; by default now.', 'as-of:2026-08-31'),
  assignee: define('text', 'Who deals with it: `me`, `none` or an e-mail address.', 'assignee:me', {
    values: enums.ASSIGNEE_VALUES,
    aliases: ['assigned'],
    format: LOWER_CASE_FORMAT,
  }),
  backlog: day('Was open at the end of that day, as known today.', 'backlog:2026-08-31'),
  branch: glob('Branch or other ref on which it was found.', 'branch:main,release/*', 'ref'),
  category: glob('Category of its rule.', 'category:security'),
  confidence: ordered(enums.CONFIDENCE_VALUES, 'Confidence of the rule.', 'confidence:>=medium'),
  cwe: define('text', 'Weakness by its CWE number.', 'cwe:79,89', { format: CWE_FORMAT }),
  ecosystem: define('text', 'Package manager of the dependency.', 'ecosystem:npm', {
    values: enums.ECOSYSTEM_VALUES,
    format: LOWER_CASE_FORMAT,
  }),
  endpoint: glob('Address of the running service.', 'endpoint:https://shop.example.com/*', 'url'),
  epss: define('number', 'Probability that the vulnerability is exploited, from 0 to 1.', 'epss:>=0.5'),
  exception: oneOf(enums.EXCEPTION_VALUES, 'State of the requests to ignore it.', 'exception:requested'),
  expires: define('duration', 'Time until its triage decision expires.', 'expires:<14d'),
  fixed: date('When a scan no longer found it.', 'fixed:>=2026-08-01', 'fixed-at'),
  guardrail: oneOf(enums.GUARDRAIL_OUTCOMES, 'Outcome on pull requests where its policy shows it.', 'guardrail:fixed'),
  has: oneOf(enums.HAS_VALUES, 'What is available for it.', 'has:fix -has:ticket'),
  ignored: date('When it was ignored, if it still is.', 'ignored:2026-08-01..2026-08-31'),
  is: oneOf(enums.STATE_VALUES, 'State of triage and detection.', 'is:open', 'state', 'status'),
  mode: oneOf(enums.MODE_VALUES, 'Mode of its policy.', 'mode:block'),
  opened: date('When it was first seen.', 'opened:2026-08-01..2026-08-31', 'first-seen'),
  owasp: define('text', 'OWASP category, with or without a year.', 'owasp:a03', { format: OWASP_FORMAT }),
  owner: define('glob', 'Team that owns its project, or a parent of that team.', 'owner:@payments', {
    aliases: ['team'],
    format: OWNER_FORMAT,
  }),
  package: glob('Name of the dependency.', 'package:@babel/*', 'dependency'),
  path: glob('Path of its file.', 'path:src/*.ts', 'file'),
  project: glob('Project in which it was found.', 'project:acme/*', 'repo', 'repository'),
  raised: date('When it was raised on a pull request where its policy shows it.', 'raised:2026-08-01..2026-08-31'),
  'raised-as': define('text', 'Properties that it had when it was raised.', 'raised-as:severity-high,rule-acme.sql', {
    values: enums.RAISED_AS_FACTS,
    format: FACT_FORMAT,
  }),
  reachability: oneOf(
    enums.REACHABILITY_VALUES,
    'Whether the code uses the vulnerable part of a dependency.',
    'reachability:reachable',
  ),
  reason: oneOf(enums.REASON_VALUES, 'Why it is ignored.', 'reason:false-positive'),
  relevant: date('When it was opened or reopened.', 'relevant:>-30d'),
  resource: glob('Name of the cloud or cluster resource.', 'resource:"arn:aws:s3:*"'),
  rule: glob('Rule that found it.', 'rule:*.sql-injection'),
  scanner: glob('Tool that found it.', 'scanner:semgrep', 'tool'),
  seen: date('When a scan last found it.', 'seen:<-30d', 'last-seen'),
  severity: ordered(enums.SEVERITY_VALUES, 'Severity of the finding.', 'severity:critical,high'),
  tag: glob('Tag of its project.', '-tag:legacy'),
  text: define('text', 'Words in its title, message, rule or path.', '"jwt"'),
  transitivity: oneOf(
    enums.TRANSITIVITY_VALUES,
    'Whether the project depends on the package directly.',
    'transitivity:direct',
  ),
  triaged: date('When it was last triaged.', 'triaged:2026-08-01..2026-08-31'),
  type: oneOf(enums.TYPE_VALUES, 'Type of the finding.', 'type:secret', 'product'),
  validity: oneOf(enums.VALIDITY_VALUES, 'Whether a leaked credential works.', 'validity:valid'),
} satisfies Record<string, FilterKeyDefinition>;

export type FilterKey = keyof typeof FILTER_KEYS;

const NAMES = new Map(
  (Object.entries(FILTER_KEYS) as [FilterKey, FilterKeyDefinition][]).flatMap(([key, { aliases }]) =>
    [key, ...aliases].map((name): [string, FilterKey] => [name, key]),
  ),
);

/** All names and aliases, with their keys. */
export const filterKeyNames = (): Iterable<[name: string, key: FilterKey]> => NAMES;

/** The key of a name or alias, ignoring case. */
export const findFilterKey = (name: string): FilterKey | undefined => NAMES.get(name.toLowerCase());
