/** One word of a closed list: how it is written, what stores and the API call it, and how else people spell it. */
export interface EnumValue {
  name: string;
  stored: string;
  aliases: readonly string[];
  help: string;
}

const word = (name: string, help = '', stored = name, ...aliases: string[]): EnumValue => ({
  name: name,
  stored,
  aliases,
  help,
});
const plain = (...names: string[]) => names.map((name) => word(name));

export const STATE_VALUES: readonly EnumValue[] = [
  word('open', 'Nobody has decided, and scans still find it; reopened findings too.'),
  word('reviewing', 'Somebody looks at it.'),
  word('to-fix', 'Somebody decided that it shall be fixed.', 'fixing'),
  word('provisional', 'A machine would ignore it; a person has not agreed yet.', 'provisionally_ignored'),
  word('ignored', 'Somebody, or a comment in the code, says to ignore it.'),
  word('fixed', 'A scan that looked there no longer finds it.'),
  word('reopened', 'It came back after it was fixed, or somebody opened it again.'),
  word('removed', 'Its rule, file or branch is no longer scanned; shown only when asked for.'),
  word('new', 'The latest scan found it for the first time.'),
  word('flapping', 'It comes and goes from scan to scan.'),
  word('held', 'A scan would close it, but closed so much at once that it waits for confirmation.'),
  word('muted', 'A comment in the code says to ignore it.'),
  word('malicious', 'The dependency itself is hostile.'),
  word('unseen', 'You have not marked it as done in your inbox since it came up or came back.'),
];

/** What became of a finding on pull requests. */
export const GUARDRAIL_OUTCOMES: readonly EnumValue[] = [
  word('silenced', 'Developers never saw it.'),
  word('open', 'It was shown, and is neither fixed nor ignored; what was merged unresolved too.'),
  word('fixed', 'It was shown, and fixed before the merge.'),
  word('ignored', 'It was shown, and somebody decided to ignore it.'),
  word('provisional', 'It was shown; a machine would ignore it, and nobody has agreed yet.', 'provisionally_ignored'),
];

const facts = (name: string, prefix: string, ...values: [word: string, suffix: string][]) =>
  values.map(([value, suffix]) => word(`${name}-${value}`, '', `${prefix}_${suffix}`));

/** What a finding was when it came up on a pull request, with the names that the report of guardrails has for it. */
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

/** From the highest to the lowest, so that comparisons such as `>=high` have a meaning. */
export const SEVERITY_VALUES = plain('critical', 'high', 'medium', 'low', 'info');
export const CONFIDENCE_VALUES = plain('high', 'medium', 'low');

export const TYPE_VALUES: readonly EnumValue[] = [
  word('code', 'What rules find in source code.', 'sast'),
  word('dependency', 'Known flaws of packages.', 'sca', 'dependencies', 'supply-chain'),
  word('secret', 'Credentials that were leaked.', 'secrets'),
  word('ai', 'What AI detection finds in source code.', 'ai_sast'),
  word('workflow', 'What agentic workflows report.', 'workflow', 'workflows'),
];

export const REACHABILITY_VALUES: readonly EnumValue[] = [
  word('reachable', 'The code uses the flaw.'),
  word('always-reachable', 'Having the package is enough.', 'always_reachable'),
  word('conditionally-reachable', 'It depends on how the program runs.', 'conditionally_reachable'),
  word('unreachable', 'The code does not use the flaw.'),
  word('unknown', 'Nobody has looked.', 'no_reachability_analysis'),
];

export const TRANSITIVITY_VALUES = plain('direct', 'transitive', 'unknown');

export const VALIDITY_VALUES: readonly EnumValue[] = [
  word('valid', 'The credential works.', 'confirmed_valid'),
  word('invalid', 'The credential does not work.', 'confirmed_invalid'),
  word('error', 'Trying it failed.', 'validation_error'),
  word('unknown', 'Nothing can try it.', 'no_validator'),
];

export const REASON_VALUES: readonly EnumValue[] = [
  word('false-positive', 'It is not a flaw.', 'false_positive'),
  word('acceptable-risk', 'It is one, and stays.', 'acceptable_risk'),
  word('no-time', 'It is one, and has to wait.', 'no_time'),
  word('duplicate', 'Another finding stands for it.'),
  word('no-reason', 'No reason was given.', 'no_triage_reason', 'none'),
];

/** What became of a request to ignore a finding. */
export const EXCEPTION_VALUES: readonly EnumValue[] = [
  word('requested', 'Somebody asks to ignore it, and waits for an answer.'),
  word('approved', 'Somebody asked, and was allowed to.'),
  word('rejected', 'Somebody asked, and was refused.'),
];

export const MODE_VALUES = plain('monitor', 'comment', 'block');

export const HAS_VALUES: readonly EnumValue[] = [
  word('fix', 'A fix or a version without the flaw is known.'),
  word('ticket', 'A ticket is linked.'),
  word('note', 'Somebody wrote a note.'),
  word('trace', 'The way of the data is known.'),
];

/** Offered for completion; others are allowed, because package managers come without asking us. */
export const ECOSYSTEM_VALUES = plain(
  ...['cargo', 'cocoapods', 'composer', 'gem', 'gomod', 'hex', 'maven', 'mix', 'npm', 'nuget', 'opam', 'pub', 'pypi'],
  'swiftpm',
);

const kebab = (text: string) => text.toLowerCase().replaceAll('_', '-').replaceAll(' ', '-');

/** The word that somebody meant, whichever way it is spelled. */
export function findEnumValue(words: readonly EnumValue[], text: string): EnumValue | undefined {
  const name = kebab(text);
  return words.find((one) => one.name === name || kebab(one.stored) === name || one.aliases.includes(name));
}
