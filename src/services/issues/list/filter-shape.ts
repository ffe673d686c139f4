import { z } from 'zod';
import { Transitivity } from '#domain/dependencies/shape.ts';
import { ISSUE_SEVERITIES } from '#domain/findings/shape.ts';
import { id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

export const MAX_ISSUE_FILTER_VALUES = 500;
const LONGEST_VALUE = 1024;

const named = <const Prefix extends string, const Names extends readonly [string, ...string[]]>(
  prefix: Prefix,
  names: Names,
) => names.map((name) => `${prefix}_${name}`) as unknown as { [Index in keyof Names]: `${Prefix}_${Names[Index]}` };

export const ISSUE_TYPES = named('ISSUE_TYPE', ['SAST', 'SCA', 'SECRETS', 'RESEARCH', 'AI_SAST']);
export const IssueType = oneOf(ISSUE_TYPES);
export const ISSUE_TRIAGE_REASONS = named('FINDING_TRIAGE_REASON', [
  'FALSE_POSITIVE',
  'NO_TIME',
  'ACCEPTABLE_RISK',
  'NO_TRIAGE_REASON',
  'UNKNOWN',
  'DUPLICATE',
]);
export const AGGREGATE_ISSUE_STATES = named('AGGREGATE_ISSUE_STATE', [
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
export const ISSUE_STATUSES = named('ISSUE_STATUS', ['FIXED', 'MUTED', 'REMOVED', 'UNRESOLVED']);
export const AUTOTRIAGE_VERDICTS = named('VERDICT', ['TRUE_POSITIVE', 'FALSE_POSITIVE', 'NO_VERDICT']);
export const ISSUE_CONFIDENCES = named('CONFIDENCE', ['HIGH', 'MEDIUM', 'LOW']);
export const ISSUE_REACHABILITIES = named('REACHABILITY', [
  'CONDITIONALLY_REACHABLE',
  'ALWAYS_REACHABLE',
  'REACHABLE',
  'UNREACHABLE',
  'UNKNOWN',
]);
export const EPSS_CATEGORIES = named('EPSS_PROBABILITY', ['LOW', 'MEDIUM', 'HIGH', 'NONE']);
export const SCA_RULE_KINDS = named('SCA_RULE_KIND', ['REACHABLE', 'UPGRADE_ONLY', 'MALICIOUS_DEPENDENCY', 'LEGACY']);
export const SECRET_VALIDATION_STATES = named('VALIDATION_STATE', [
  'CONFIRMED_VALID',
  'CONFIRMED_INVALID',
  'VALIDATION_ERROR',
  'NO_VALIDATOR',
]);

/** With the zero value of the enum, which says that none was given. */
const orNone = <const Prefix extends string, const Names extends readonly [string, ...string[]]>(
  prefix: Prefix,
  names: Names,
) => oneOf([...names, `${prefix}_UNSPECIFIED`] as unknown as [...Names, `${Prefix}_UNSPECIFIED`]);

const some = <Schema extends z.ZodType>(schema: Schema) => z.array(schema).max(MAX_ISSUE_FILTER_VALUES).optional();
const texts = () => some(z.string().max(LONGEST_VALUE));
const text = () => z.string().max(LONGEST_VALUE).optional();
const flag = () => z.boolean().optional();

/** What issues are wanted; members are joined by AND, the values of one by OR. */
export const IssueFilter = z.object({
  ids: some(id('Finding')),
  since: timestamp().optional(),
  until: timestamp().optional(),
  repositoryNames: texts(),
  repositoryIds: some(id('Project')),
  repositoryTags: texts(),
  refs: texts(),
  repositoryRefIds: some(id('Ref')),
  aiVerdicts: some(orNone('VERDICT', AUTOTRIAGE_VERDICTS)),
  aiSensitivities: texts(),
  status: some(orNone('ISSUE_STATUS', ISSUE_STATUSES)),
  tab: oneOf(
    named('ISSUE_TAB', ['OPEN', 'IGNORED', 'CLOSED', 'REVIEWING', 'FIXING', 'PROVISIONALLY_IGNORED']),
  ).optional(),
  teamNames: texts(),
  actions: some(orNone('MODE', named('MODE', ['MONITOR', 'COMMENT', 'BLOCK', 'DISABLED']))),
  policySlugs: texts(),
  rules: texts(),
  ruleIds: texts(),
  rulesets: texts(),
  categories: texts(),
  confidences: some(orNone('CONFIDENCE', ISSUE_CONFIDENCES)),
  severities: some(orNone('SEVERITY', ISSUE_SEVERITIES)),
  transitivities: some(Transitivity),
  exposures: some(oneOf(['UNKNOWN_EXPOSURE', 'UNREACHABLE', 'REACHABLE'])),
  dependencies: texts(),
  cves: texts(),
  source: some(orNone('SOURCE', named('SOURCE', ['PRO', 'COMMUNITY', 'CUSTOM']))),
  reachabilities: some(orNone('REACHABILITY', ISSUE_REACHABILITIES)),
  issueParentIds: some(id('Finding')),
  validationStates: some(orNone('VALIDATION_STATE', SECRET_VALIDATION_STATES)),
  secretTypes: texts(),
  repoVisibilities: some(
    orNone('REPOSITORY_VISIBILITY', named('REPOSITORY_VISIBILITY', ['PUBLIC', 'PRIVATE', 'UNKNOWN'])),
  ),
  excludeHistorical: flag(),
  onPrimaryBranch: flag(),
  epssProbabilities: some(orNone('EPSS_PROBABILITY', EPSS_CATEGORIES)),
  triageReasons: some(orNone('FINDING_TRIAGE_REASON', ISSUE_TRIAGE_REASONS)),
  timeFilter: oneOf(named('TIME_FILTER', ['RELEVANT_SINCE', 'TRIAGED_AT', 'FIXED_AT'])).optional(),
  includeTicketed: flag(),
  backlogType: oneOf(named('ISSUE_BACKLOG_TYPE', ['PROD', 'PREPROD'])).optional(),
  scaRuleKind: some(orNone('SCA_RULE_KIND', SCA_RULE_KINDS)),
  aiMemoryWillFlipVerdict: text(),
  aiMemoryReferenced: text(),
  includeAiMemoryRendered: flag(),
  aiMemoryRendered: text(),
  memoryIdInScope: text(),
  relativeSince: oneOf(
    named('RELATIVE_SINCE', [
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
  repositoryDeploymentStatuses: some(
    orNone('DEPLOYMENT_STATUS', named('DEPLOYMENT_STATUS', ['UNKNOWN', 'DEPLOYED', 'NOT_DEPLOYED'])),
  ),
  upgradeGuidance: some(
    orNone(
      'BREAKING_CHANGE_TYPE',
      named('BREAKING_CHANGE_TYPE', [
        'PARAMETER_CHANGE',
        'FUNCTION_OR_CLASS_REMOVAL',
        'FUNCTION_RENAME',
        'LOGIC_CHANGE',
        'NOT_BREAKING',
      ]),
    ),
  ),
  repositoryPublicExposures: some(
    orNone('PUBLIC_EXPOSURE', named('PUBLIC_EXPOSURE', ['UNKNOWN', 'PUBLIC', 'NOT_PUBLIC'])),
  ),
  clickToFixPrStates: some(
    orNone('CLICK_TO_FIX_PR_STATE', named('CLICK_TO_FIX_PR_STATE', ['OPEN', 'MERGED', 'NO_PR'])),
  ),
  advisoryIds: texts(),
  aggregateIssueStates: some(orNone('AGGREGATE_ISSUE_STATE', AGGREGATE_ISSUE_STATES)),
  upgradeGuidanceFilters: some(
    orNone('UPGRADE_GUIDANCE_SELECTION', named('UPGRADE_GUIDANCE_SELECTION', ['SAFE', 'BREAKING'])),
  ),
  filterIssueTypes: some(orNone('ISSUE_TYPE', ISSUE_TYPES)),
  filePaths: texts(),
  includeArchived: flag(),
  hasInFlightAutofixPr: flag(),
});
export type IssueFilter = z.output<typeof IssueFilter>;

/** What every question about issues begins with. */
export const issueQueryFields = {
  deploymentId: z.string().max(64).optional(),
  issueType: IssueType.optional(),
  filter: IssueFilter.optional(),
  issueTypes: some(orNone('ISSUE_TYPE', ISSUE_TYPES)),
  q: z.string().max(2000).optional(),
};

/** Whether what Agentic Workflows found is meant too. */
export const includeWorkflowsField = { includeWorkflows: z.boolean().optional() };
