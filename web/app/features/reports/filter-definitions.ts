interface FilterChoice {
  /** The value in the URL. */
  word: string;
  /** The value in the API and the filter. */
  value: string;
  label: string;
}

const choices = (prefix: string, ...rows: [word: string, suffix: string, label: string][]) =>
  rows.map(([word, suffix, label]): FilterChoice => ({ word, value: `${prefix}_${suffix}`, label }));

/** Filters with fixed choices, and their member in the API's request. */
export const CHOICE_FILTERS = {
  types: {
    member: 'findingTypes',
    label: 'Type',
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
    choices: choices(
      'FINDING_REACHABILITY',
      ['reachable', 'REACHABLE', 'Reachable'],
      ['always-reachable', 'ALWAYS_REACHABLE', 'Always reachable'],
      ['conditionally-reachable', 'CONDITIONALLY_REACHABLE', 'Conditionally reachable'],
      ['unreachable', 'UNREACHABLE', 'Unreachable'],
      ['unknown', 'NO_REACHABILITY_ANALYSIS', 'Not analyzed'],
    ),
  },
  validity: {
    member: 'validity',
    label: 'Secret validity',
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
    label: 'AI verdict',
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
    choices: choices(
      'PUBLIC_EXPOSURE',
      ['public', 'PUBLIC', 'Public'],
      ['not-public', 'NOT_PUBLIC', 'Not public'],
      ['unknown', 'UNKNOWN', 'Unknown'],
    ),
  },
} as const;

/** Filters by name. */
export const NAME_FILTERS = {
  projects: { member: 'projects', label: 'Projects' },
  tags: { member: 'tags', label: 'Project tags' },
  teams: { member: 'teams', label: 'Teams' },
  rules: { member: 'ruleIds', label: 'Rules' },
  categories: { member: 'findingCategories', label: 'Categories' },
} as const;

export type ChoiceFilterName = keyof typeof CHOICE_FILTERS;
export type NameFilterName = keyof typeof NAME_FILTERS;
export type GuardrailsFilterName = ChoiceFilterName | NameFilterName;

export const CHOICE_FILTER_NAMES = Object.keys(CHOICE_FILTERS) as ChoiceFilterName[];
export const NAME_FILTER_NAMES = Object.keys(NAME_FILTERS) as NameFilterName[];

/** The URL's value of each filter. */
export type GuardrailsFilterTexts = { readonly [Name in GuardrailsFilterName]?: string };
