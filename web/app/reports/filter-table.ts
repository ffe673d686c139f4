export interface Choice {
  /** As the address and the filter bar of findings have it. */
  word: string;
  /** As the API has it. */
  value: string;
  label: string;
}

const choices = (prefix: string, ...rows: [word: string, suffix: string, label: string][]) =>
  rows.map(([word, suffix, label]): Choice => ({ word, value: `${prefix}_${suffix}`, label }));

/** Filters that are one of a few words: their member in the API and their key in the filter bar, if there is one. */
export const CLOSED = {
  types: {
    member: 'findingTypes',
    label: 'Type',
    key: 'type',
    choices: choices(
      'FINDING_TYPE',
      ['code', 'CODE', 'Code'],
      ['dependency', 'SCA', 'Dependency'],
      ['secret', 'SECRETS', 'Secret'],
    ),
  },
  severities: {
    member: 'findingSeverities',
    label: 'Severity',
    key: 'severity',
    choices: choices(
      'FINDING_SEVERITY',
      ['critical', 'CRITICAL', 'Critical'],
      ['high', 'HIGH', 'High'],
      ['medium', 'MEDIUM', 'Medium'],
      ['low', 'LOW', 'Low'],
    ),
  },
  confidence: {
    member: 'confidence',
    label: 'Confidence',
    key: 'confidence',
    choices: choices(
      'FINDING_CONFIDENCE',
      ['high', 'HIGH', 'High'],
      ['medium', 'MEDIUM', 'Medium'],
      ['low', 'LOW', 'Low'],
    ),
  },
  reachability: {
    member: 'reachability',
    label: 'Reachability',
    key: 'reachability',
    choices: choices(
      'FINDING_REACHABILITY',
      ['reachable', 'REACHABLE', 'Reachable'],
      ['always-reachable', 'ALWAYS_REACHABLE', 'Always reachable'],
      ['conditionally-reachable', 'CONDITIONALLY_REACHABLE', 'Conditionally reachable'],
      ['unreachable', 'UNREACHABLE', 'Unreachable'],
      ['unknown', 'NO_REACHABILITY_ANALYSIS', 'Not looked at'],
    ),
  },
  validity: {
    member: 'validity',
    label: 'Validity of secrets',
    key: 'validity',
    choices: choices(
      'FINDING_VALIDITY',
      ['valid', 'VALID', 'Works'],
      ['invalid', 'INVALID', 'Does not work'],
      ['error', 'ERROR', 'Could not be tried'],
      ['unknown', 'NO_VALIDATOR', 'Not tried'],
    ),
  },
  verdicts: {
    member: 'aiVerdicts',
    label: 'Verdict of AI',
    key: undefined,
    choices: choices(
      'VERDICT',
      ['true-positive', 'TRUE_POSITIVE', 'True positive'],
      ['false-positive', 'FALSE_POSITIVE', 'False positive'],
      ['none', 'NO_VERDICT', 'No verdict'],
    ),
  },
  deployed: {
    member: 'deploymentStatuses',
    label: 'Deployed',
    key: undefined,
    choices: choices(
      'DEPLOYMENT_STATUS',
      ['yes', 'DEPLOYED', 'Deployed'],
      ['no', 'NOT_DEPLOYED', 'Not deployed'],
      ['unknown', 'UNKNOWN', 'Unknown'],
    ),
  },
  exposure: {
    member: 'publicExposures',
    label: 'Public exposure',
    key: undefined,
    choices: choices(
      'PUBLIC_EXPOSURE',
      ['public', 'PUBLIC', 'Public'],
      ['not-public', 'NOT_PUBLIC', 'Not public'],
      ['unknown', 'UNKNOWN', 'Unknown'],
    ),
  },
} as const;

/** Filters that are names. */
export const OPEN = {
  projects: { member: 'projects', label: 'Projects', key: 'project' },
  tags: { member: 'tags', label: 'Tags of projects', key: 'tag' },
  teams: { member: 'teams', label: 'Teams', key: 'owner' },
  rules: { member: 'ruleIds', label: 'Rules', key: 'rule' },
  categories: { member: 'findingCategories', label: 'Categories', key: 'category' },
} as const;

export type ClosedName = keyof typeof CLOSED;
export type OpenName = keyof typeof OPEN;
export type FilterName = ClosedName | OpenName;

export const CLOSED_NAMES = Object.keys(CLOSED) as ClosedName[];
export const OPEN_NAMES = Object.keys(OPEN) as OpenName[];

/** What the address has of each filter. */
export type FilterTexts = { readonly [Name in FilterName]?: string };
