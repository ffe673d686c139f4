import { z } from 'zod';
import { Transitivity } from '#domain/dependencies/shape.ts';
import { ISSUE_SEVERITIES } from '#domain/findings/shape.ts';
import { id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

export const MAX_ISSUE_FILTER_VALUES = 500;
const MAX_VALUE_LENGTH = 1024;

const prefixed = <const Prefix extends string, const Names extends readonly [string, ...string[]]>(
  prefix: Prefix,
  names: Names,
) => names.map((name) => `${prefix}_${name}`) as unknown as { [Index in keyof Names]: `${Prefix}_${Names[Index]}` };

export const ISSUE_TYPES = prefixed('ISSUE_TYPE', ['SAST', 'SCA', 'SECRETS', 'RESEARCH', 'AI_SAST']);
export const IssueType = oneOf(ISSUE_TYPES);
export const ISSUE_TRIAGE_REASONS = prefixed('FINDING_TRIAGE_REASON', [
  'FALSE_POSITIVE',
  'NO_TIME',
  'ACCEPTABLE_RISK',
  'NO_TRIAGE_REASON',
  'UNKNOWN',
  'DUPLICATE',
]);
export const AGGREGATE_ISSUE_STATES = prefixed('AGGREGATE_ISSUE_STATE', [
  'OPEN',
  'FIXED',
  'REMOVED',
  'IGNORED_APP',
  'IGNORED_CODE',
  'UNKNOWN',
  'REVIEWING',
  'FIXING',
  'PROVISIONALLY_IGNORED_APP',
]);
export const ISSUE_STATUSES = prefixed('ISSUE_STATUS', ['FIXED', 'MUTED', 'REMOVED', 'UNRESOLVED']);
export const AUTOTRIAGE_VERDICTS = prefixed('VERDICT', ['TRUE_POSITIVE', 'FALSE_POSITIVE', 'NO_VERDICT']);
export const ISSUE_CONFIDENCES = prefixed('CONFIDENCE', ['HIGH', 'MEDIUM', 'LOW']);
export const ISSUE_REACHABILITIES = prefixed('REACHABILITY', [
  'CONDITIONALLY_REACHABLE',
  'ALWAYS_REACHABLE',
  'REACHABLE',
  'UNREACHABLE',
  'UNKNOWN',
]);
export const EPSS_CATEGORIES = prefixed('EPSS_PROBABILITY', ['LOW', 'MEDIUM', 'HIGH', 'NONE']);
export const SCA_RULE_KINDS = prefixed('SCA_RULE_KIND', [
  'REACHABLE',
  'UPGRADE_ONLY',
  'MALICIOUS_DEPENDENCY',
  'LEGACY',
]);
export const SECRET_VALIDATION_STATES = prefixed('VALIDATION_STATE', [
  'CONFIRMED_VALID',
  'CONFIRMED_INVALID',
  'VALIDATION_ERROR',
  'NO_VALIDATOR',
]);

/** Adds the zero value of the protobuf enum, which means that no value was given. */
const withUnspecified = <const Prefix extends string, const Names extends readonly [string, ...string[]]>(
  prefix: Prefix,
  names: Names,
) => oneOf([...names, `${prefix}_UNSPECIFIED`] as unknown as [...Names, `${Prefix}_UNSPECIFIED`]);

const filterList = <Schema extends z.ZodType>(schema: Schema) =>
  z.array(schema).max(MAX_ISSUE_FILTER_VALUES).optional();
const filterTexts = () => filterList(z.string().max(MAX_VALUE_LENGTH));
const filterText = () => z.string().max(MAX_VALUE_LENGTH).optional();
const filterFlag = () => z.boolean().optional();

/** Selects issues: members are joined by AND, the values of one member by OR. */
export const IssueFilter = z.object({
  ids: filterList(id('Finding')),
  since: timestamp().optional(),
  until: timestamp().optional(),
  repositoryNames: filterTexts(),
  repositoryIds: filterList(id('Project')),
  repositoryTags: filterTexts(),
  refs: filterTexts(),
  repositoryRefIds: filterList(id('Ref')),
  aiVerdicts: filterList(withUnspecified('VERDICT', AUTOTRIAGE_VERDICTS)),
  aiSensitivities: filterTexts(),
  status: filterList(withUnspecified('ISSUE_STATUS', ISSUE_STATUSES)),
  tab: oneOf(
    prefixed('ISSUE_TAB', ['OPEN', 'IGNORED', 'CLOSED', 'REVIEWING', 'FIXING', 'PROVISIONALLY_IGNORED']),
  ).optional(),
  teamNames: filterTexts(),
  actions: filterList(withUnspecified('MODE', prefixed('MODE', ['MONITOR', 'COMMENT', 'BLOCK', 'DISABLED']))),
  policySlugs: filterTexts(),
  rules: filterTexts(),
  ruleIds: filterTexts(),
  rulesets: filterTexts(),
  categories: filterTexts(),
  confidences: filterList(withUnspecified('CONFIDENCE', ISSUE_CONFIDENCES)),
  severities: filterList(withUnspecified('SEVERITY', ISSUE_SEVERITIES)),
  transitivities: filterList(Transitivity),
  exposures: filterList(oneOf(['UNKNOWN_EXPOSURE', 'UNREACHABLE', 'REACHABLE'])),
  dependencies: filterTexts(),
  cves: filterTexts(),
  source: filterList(withUnspecified('SOURCE', prefixed('SOURCE', ['PRO', 'COMMUNITY', 'CUSTOM']))),
  reachabilities: filterList(withUnspecified('REACHABILITY', ISSUE_REACHABILITIES)),
  issueParentIds: filterList(id('Finding')),
  validationStates: filterList(withUnspecified('VALIDATION_STATE', SECRET_VALIDATION_STATES)),
  secretTypes: filterTexts(),
  repoVisibilities: filterList(
    withUnspecified('REPOSITORY_VISIBILITY', prefixed('REPOSITORY_VISIBILITY', ['PUBLIC', 'PRIVATE', 'UNKNOWN'])),
  ),
  excludeHistorical: filterFlag(),
  onPrimaryBranch: filterFlag(),
  epssProbabilities: filterList(withUnspecified('EPSS_PROBABILITY', EPSS_CATEGORIES)),
  triageReasons: filterList(withUnspecified('FINDING_TRIAGE_REASON', ISSUE_TRIAGE_REASONS)),
  timeFilter: oneOf(prefixed('TIME_FILTER', ['RELEVANT_SINCE', 'TRIAGED_AT', 'FIXED_AT'])).optional(),
  includeTicketed: filterFlag(),
  backlogType: oneOf(prefixed('ISSUE_BACKLOG_TYPE', ['PROD', 'PREPROD'])).optional(),
  scaRuleKind: filterList(withUnspecified('SCA_RULE_KIND', SCA_RULE_KINDS)),
  aiMemoryWillFlipVerdict: filterText(),
  aiMemoryReferenced: filterText(),
  includeAiMemoryRendered: filterFlag(),
  aiMemoryRendered: filterText(),
  memoryIdInScope: filterText(),
  relativeSince: oneOf(
    prefixed('RELATIVE_SINCE', [
      'ONE_DAY',
      'ONE_WEEK',
      'ONE_MONTH',
      'THREE_MONTHS',
      'SIX_MONTHS',
      'ONE_YEAR',
      'ALL_TIME',
      'ONE_MINUTE',
    ]),
  ).optional(),
  repositoryDeploymentStatuses: filterList(
    withUnspecified('DEPLOYMENT_STATUS', prefixed('DEPLOYMENT_STATUS', ['UNKNOWN', 'DEPLOYED', 'NOT_DEPLOYED'])),
  ),
  upgradeGuidance: filterList(
    withUnspecified(
      'BREAKING_CHANGE_TYPE',
      prefixed('BREAKING_CHANGE_TYPE', [
        'PARAMETER_CHANGE',
        'FUNCTION_OR_CLASS_REMOVAL',
        'FUNCTION_RENAME',
        'LOGIC_CHANGE',
        'NOT_BREAKING',
      ]),
    ),
  ),
  repositoryPublicExposures: filterList(
    withUnspecified('PUBLIC_EXPOSURE', prefixed('PUBLIC_EXPOSURE', ['UNKNOWN', 'PUBLIC', 'NOT_PUBLIC'])),
  ),
  clickToFixPrStates: filterList(
    withUnspecified('CLICK_TO_FIX_PR_STATE', prefixed('CLICK_TO_FIX_PR_STATE', ['OPEN', 'MERGED', 'NO_PR'])),
  ),
  advisoryIds: filterTexts(),
  aggregateIssueStates: filterList(withUnspecified('AGGREGATE_ISSUE_STATE', AGGREGATE_ISSUE_STATES)),
  upgradeGuidanceFilters: filterList(
    withUnspecified('UPGRADE_GUIDANCE_SELECTION', prefixed('UPGRADE_GUIDANCE_SELECTION', ['SAFE', 'BREAKING'])),
  ),
  filterIssueTypes: filterList(withUnspecified('ISSUE_TYPE', ISSUE_TYPES)),
  filePaths: filterTexts(),
  includeArchived: filterFlag(),
  hasInFlightAutofixPr: filterFlag(),
});
export type IssueFilter = z.output<typeof IssueFilter>;

/** Request members that select issues, shared by all operations. */
export const issueQueryFields = {
  deploymentId: z.string().max(64).optional(),
  issueType: IssueType.optional(),
  filter: IssueFilter.optional(),
  issueTypes: filterList(withUnspecified('ISSUE_TYPE', ISSUE_TYPES)),
  q: z.string().max(2000).optional(),
};

/** Whether the operation also covers workflow issues. */
export const includeWorkflowsField = { includeWorkflows: z.boolean().optional() };
