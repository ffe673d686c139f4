/** One value of a closed list: its name in filters, its stored name, and its aliases. */
export interface EnumValue {
  name: string;
  stored: string;
  aliases: readonly string[];
  help: string;
}

const value = (name: string, help = '', stored = name, ...aliases: string[]): EnumValue => ({
  name: name,
  stored,
  aliases,
  help,
});
const values = (...names: string[]) => names.map((name) => value(name));

export const STATE_VALUES: readonly EnumValue[] = [
  value('open', 'Detected and not triaged, or reopened.'),
  value('reviewing', 'Under review.'),
  value('to-fix', 'Marked to be fixed.', 'fixing'),
  value('provisional', 'Ignored by an automatic decision that nobody has confirmed yet.', 'provisionally_ignored'),
  value('ignored', 'Ignored by a user or by a comment in the code.'),
  value('fixed', 'No longer found by a scan of its file.'),
  value('reopened', 'Found again after it was fixed, or reopened by a user.'),
  value('removed', 'Its rule, file or branch is no longer scanned; listed only with this value.'),
  value('new', 'Found for the first time by the latest scan.'),
  value('flapping', 'Found by some scans and not by others.'),
  value('held', 'A scan would close it together with so many others that this waits for confirmation.'),
  value('muted', 'Ignored by a comment in the code.'),
  value('malicious', 'The dependency itself is malicious.'),
  value('unseen', 'Not marked as done in your inbox since it was opened or reopened.'),
];

/** The outcome of a finding on pull requests. */
export const GUARDRAIL_OUTCOMES: readonly EnumValue[] = [
  value('silenced', 'Never shown to developers.'),
  value('open', 'Shown, and neither fixed nor ignored; also if it was merged unresolved.'),
  value('fixed', 'Shown, and fixed before the merge.'),
  value('ignored', 'Shown, and ignored by a user.'),
  value(
    'provisional',
    'Shown, and ignored by an automatic decision that nobody has confirmed yet.',
    'provisionally_ignored',
  ),
];

const facts = (name: string, prefix: string, ...properties: [property: string, suffix: string][]) =>
  properties.map(([property, suffix]) => value(`${name}-${property}`, '', `${prefix}_${suffix}`));

/** Properties of a finding when it was raised on a pull request; stored under the names of the guardrails report. */
export const RAISED_AS_FACTS: readonly EnumValue[] = [
  ...facts('type', 'FINDING_TYPE', ['code', 'CODE'], ['dependency', 'SCA'], ['secret', 'SECRETS']),
  ...facts(
    'severity',
    'FINDING_SEVERITY',
    ['critical', 'CRITICAL'],
    ['high', 'HIGH'],
    ['medium', 'MEDIUM'],
    ['low', 'LOW'],
  ),
  ...facts('confidence', 'FINDING_CONFIDENCE', ['high', 'HIGH'], ['medium', 'MEDIUM'], ['low', 'LOW']),
  ...facts(
    'reachability',
    'FINDING_REACHABILITY',
    ['reachable', 'REACHABLE'],
    ['always-reachable', 'ALWAYS_REACHABLE'],
    ['conditionally-reachable', 'CONDITIONALLY_REACHABLE'],
    ['unreachable', 'UNREACHABLE'],
    ['unknown', 'NO_REACHABILITY_ANALYSIS'],
  ),
  ...facts(
    'validity',
    'FINDING_VALIDITY',
    ['valid', 'VALID'],
    ['invalid', 'INVALID'],
    ['error', 'ERROR'],
    ['unknown', 'NO_VALIDATOR'],
  ),
  ...facts(
    'verdict',
    'VERDICT',
    ['true-positive', 'TRUE_POSITIVE'],
    ['false-positive', 'FALSE_POSITIVE'],
    ['none', 'NO_VERDICT'],
  ),
  ...facts('deployed', 'DEPLOYMENT_STATUS', ['yes', 'DEPLOYED'], ['no', 'NOT_DEPLOYED'], ['unknown', 'UNKNOWN']),
  ...facts('exposure', 'PUBLIC_EXPOSURE', ['public', 'PUBLIC'], ['not-public', 'NOT_PUBLIC'], ['unknown', 'UNKNOWN']),
];

/** From highest to lowest, for comparisons such as `>=high`. */
export const SEVERITY_VALUES = values('critical', 'high', 'medium', 'low', 'info');
export const CONFIDENCE_VALUES = values('high', 'medium', 'low');

export const TYPE_VALUES: readonly EnumValue[] = [
  value('code', 'Found by rules in source code.', 'sast'),
  value('dependency', 'Known vulnerabilities of packages.', 'sca', 'dependencies', 'supply-chain'),
  value('secret', 'Leaked credentials.', 'secrets'),
  value('ai', 'Found by AI in source code.', 'ai_sast'),
  value('workflow', 'Reported by agentic workflows.', 'workflow', 'workflows'),
];

export const REACHABILITY_VALUES: readonly EnumValue[] = [
  value('reachable', 'The code uses the vulnerable part.'),
  value('always-reachable', 'Vulnerable whenever the package is installed.', 'always_reachable'),
  value('conditionally-reachable', 'Depends on how the program runs.', 'conditionally_reachable'),
  value('unreachable', 'The code does not use the vulnerable part.'),
  value('unknown', 'Not analyzed.', 'no_reachability_analysis'),
];

export const TRANSITIVITY_VALUES = values('direct', 'transitive', 'unknown');

export const VALIDITY_VALUES: readonly EnumValue[] = [
  value('valid', 'The credential works.', 'confirmed_valid'),
  value('invalid', 'The credential does not work.', 'confirmed_invalid'),
  value('error', 'The check failed.', 'validation_error'),
  value('unknown', 'There is no validator for it.', 'no_validator'),
];

export const REASON_VALUES: readonly EnumValue[] = [
  value('false-positive', 'Not a vulnerability.', 'false_positive'),
  value('acceptable-risk', 'A vulnerability whose risk is accepted.', 'acceptable_risk'),
  value('no-time', 'A vulnerability that cannot be fixed now.', 'no_time'),
  value('duplicate', 'Covered by another finding.'),
  value('no-reason', 'No reason was given.', 'no_triage_reason', 'none'),
];

/** The state of a request to ignore a finding. */
export const EXCEPTION_VALUES: readonly EnumValue[] = [
  value('requested', 'A request is pending.'),
  value('approved', 'A request was approved.'),
  value('rejected', 'A request was rejected.'),
];

export const MODE_VALUES = values('monitor', 'comment', 'block');

export const HAS_VALUES: readonly EnumValue[] = [
  value('fix', 'A fix or a fixed version is known.'),
  value('ticket', 'A ticket is linked.'),
  value('note', 'It has a note.'),
  value('trace', 'The dataflow is known.'),
];

/** Suggested for completion, before the addresses of people. */
export const ASSIGNEE_VALUES: readonly EnumValue[] = [
  value('me', 'Assigned to you.'),
  value('none', 'Assigned to nobody.'),
];

/** Suggested for completion; other ecosystems are allowed too. */
export const ECOSYSTEM_VALUES = values(
  ...['cargo', 'cocoapods', 'composer', 'gem', 'gomod', 'hex', 'maven', 'mix', 'npm', 'nuget', 'opam', 'pub', 'pypi'],
  'swiftpm',
);

const kebab = (text: string) => text.toLowerCase().replaceAll('_', '-').replaceAll(' ', '-');

/** Finds a value by its name, stored name or alias, ignoring case and separators. */
export function findEnumValue(list: readonly EnumValue[], text: string): EnumValue | undefined {
  const name = kebab(text);
  return list.find((item) => item.name === name || kebab(item.stored) === name || item.aliases.includes(name));
}
