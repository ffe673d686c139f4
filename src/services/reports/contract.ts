import { z } from 'zod';
import { INVALID_QUERY } from '#domain/findings/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

export const MAX_REPORT_FILTER_VALUES = 500;
export const MAX_REPORT_BUCKETS = 400;
export const MAX_REPORT_YEARS = 2;

export const PERIOD_REFUSED = fault(
  'PERIOD_REFUSED',
  400,
  'The report cannot cover this period: {reason}.',
  'Ask for a period that ends after its start, of at most 2 years and 400 buckets.',
);

const filterList = <Schema extends z.ZodType>(schema: Schema) =>
  z.array(schema).max(MAX_REPORT_FILTER_VALUES).optional();
const filterTexts = () => filterList(z.string().max(1024));

export const ReportPeriod = z.object({ since: timestamp().optional(), until: timestamp().optional() });

export const ReportFilter = z.object({
  timePeriod: ReportPeriod.optional(),
  timeBucketSize: oneOf(['TIME_BUCKET_SIZE_DAY', 'TIME_BUCKET_SIZE_WEEK', 'TIME_BUCKET_SIZE_MONTH']).optional(),
  findingTypes: filterList(
    oneOf(['FINDING_TYPE_CODE', 'FINDING_TYPE_SCA', 'FINDING_TYPE_SECRETS', 'FINDING_TYPE_UNSPECIFIED']),
  ),
  findingSeverities: filterList(
    oneOf([
      'FINDING_SEVERITY_LOW',
      'FINDING_SEVERITY_MEDIUM',
      'FINDING_SEVERITY_HIGH',
      'FINDING_SEVERITY_CRITICAL',
      'FINDING_SEVERITY_UNSPECIFIED',
    ]),
  ),
  projects: filterTexts(),
  tags: filterTexts(),
  confidence: filterList(
    oneOf([
      'FINDING_CONFIDENCE_LOW',
      'FINDING_CONFIDENCE_MEDIUM',
      'FINDING_CONFIDENCE_HIGH',
      'FINDING_CONFIDENCE_UNSPECIFIED',
    ]),
  ),
  reachability: filterList(
    oneOf([
      'FINDING_REACHABILITY_REACHABLE',
      'FINDING_REACHABILITY_ALWAYS_REACHABLE',
      'FINDING_REACHABILITY_CONDITIONALLY_REACHABLE',
      'FINDING_REACHABILITY_NO_REACHABILITY_ANALYSIS',
      'FINDING_REACHABILITY_UNREACHABLE',
      'FINDING_REACHABILITY_UNSPECIFIED',
    ]),
  ),
  validity: filterList(
    oneOf([
      'FINDING_VALIDITY_VALID',
      'FINDING_VALIDITY_INVALID',
      'FINDING_VALIDITY_ERROR',
      'FINDING_VALIDITY_NO_VALIDATOR',
      'FINDING_VALIDITY_UNSPECIFIED',
    ]),
  ),
  teams: filterTexts(),
  ruleIds: filterTexts(),
  aiVerdicts: filterList(
    oneOf(['VERDICT_TRUE_POSITIVE', 'VERDICT_FALSE_POSITIVE', 'VERDICT_NO_VERDICT', 'VERDICT_UNSPECIFIED']),
  ),
  deploymentStatuses: filterList(
    oneOf([
      'DEPLOYMENT_STATUS_UNKNOWN',
      'DEPLOYMENT_STATUS_DEPLOYED',
      'DEPLOYMENT_STATUS_NOT_DEPLOYED',
      'DEPLOYMENT_STATUS_UNSPECIFIED',
    ]),
  ),
  publicExposures: filterList(
    oneOf([
      'PUBLIC_EXPOSURE_UNKNOWN',
      'PUBLIC_EXPOSURE_PUBLIC',
      'PUBLIC_EXPOSURE_NOT_PUBLIC',
      'PUBLIC_EXPOSURE_UNSPECIFIED',
    ]),
  ),
  findingCategories: filterTexts(),
  projectIds: filterTexts(),
});
export type ReportFilter = z.output<typeof ReportFilter>;

export const GuardrailCounts = z.object({
  silenced: z.int(),
  open: z.int(),
  fixed: z.int(),
  ignored: z.int(),
  provisionallyIgnored: z.int(),
});
export type GuardrailCounts = z.output<typeof GuardrailCounts>;

export const GuardrailBucket = z.object({
  timePeriod: z.object({ since: timestamp(), until: timestamp() }),
  ...GuardrailCounts.shape,
});
export type GuardrailBucket = z.output<typeof GuardrailBucket>;

const guardrails = {
  allow: 'report:read',
  path: { deploymentId: deployment() },
  body: { filters: ReportFilter.optional() },
  reply: { buckets: z.array(GuardrailBucket), totalFixed: z.int(), totalOpened: z.int() },
  faults: [PERIOD_REFUSED],
} as const;

export const getGuardrailsActivityReport = operation({
  ...guardrails,
  route: 'POST /api/reporting/{deploymentId}/reports/guardrails-activity',
  summary: 'Get guardrails activity report',
  description:
    'Outcomes of findings that a policy showed on pull or merge requests, counted in the bucket in which they first ' +
    'appeared, with their state at the end of the period or now. The default period is the last 90 days; the ' +
    'default bucket size is days up to 31 days, weeks up to 182 days, then months. Tags and teams are the current ' +
    'ones of projects; a team includes the teams below it. Unknown or invisible projects are not counted.',
  maturity: 'beta',
});

export const getGuardrailsFindings = operation({
  ...guardrails,
  reply: {
    buckets: z.array(GuardrailBucket.extend({ all: z.int() })),
    totals: GuardrailCounts,
    totalFixed: z.int(),
    totalOpened: z.int(),
  },
  route: 'POST /api/reporting/{deploymentId}/reports/guardrails-findings',
  summary: 'Get the guardrails report by finding',
  description:
    'The same report by finding: a finding that appeared repeatedly counts once in each number, so `all` of a ' +
    'bucket and the `totals` can be less than the sum of the classes. For UTC days, the filter keys `raised`, ' +
    '`raised-as`, `guardrail` and `as-of` list these findings.',
  maturity: 'experimental',
  isExtension: true,
});

/** Leaves room for terms that the server adds to the filter. */
const MAX_FILTER_LENGTH = 1500;

const linkedNumber = { value: z.int(), q: z.string() };
const span = { start: timestamp(), end: timestamp() };

/** Numbers by name, and the filter of each number under the same name. */
const counted = <const Name extends string>(names: readonly Name[]) => {
  const each = <Schema>(schema: () => Schema) =>
    Object.fromEntries(names.map((name) => [name, schema()])) as Record<Name, Schema>;
  return { ...each(() => z.int()), q: z.object(each(() => z.string())) };
};

export const getOverview = operation({
  route: 'POST /api/reporting/{deploymentId}/reports/overview',
  summary: 'Get the overview',
  description:
    'The current state of all findings that match `q`, and its history since a day. Days are UTC days: `since` is ' +
    'the start of its day, `until` the end of its day or now. Each `q` in the reply is a filter whose list has as ' +
    'many findings as the number next to it. A finding is in the backlog from its first detection until it was ' +
    'fixed or triaged, according to its current state; `low` includes informational findings. `noisiestRules` are ' +
    'those with most ignored findings. `fixedBeforeMergePercent` has no value without pull or merge requests, or ' +
    'with `q`.',
  maturity: 'experimental',
  allow: 'report:read',
  isExtension: true,
  path: { deploymentId: deployment() },
  body: {
    since: timestamp(),
    until: timestamp().optional(),
    bucket: oneOf(['BUCKET_DAY', 'BUCKET_WEEK', 'BUCKET_MONTH']).optional(),
    q: z.string().max(MAX_FILTER_LENGTH).optional(),
  },
  reply: {
    numbers: z.object({
      open: z.object(linkedNumber),
      openPriority: z.object(linkedNumber),
      opened: z.object(linkedNumber),
      fixed: z.object(linkedNumber),
      medianAgeDays: z.object({ value: z.number() }),
      fixedBeforeMergePercent: z.object({ value: z.number().optional() }),
    }),
    backlog: z.array(z.object({ ...span, ...counted(['critical', 'high', 'medium', 'low']) })),
    netChange: z.array(z.object({ ...span, ...counted(['opened', 'fixed', 'ignored']) })),
    worstProjects: z.array(z.object({ projectId: id('Project'), name: z.string(), count: z.int(), q: z.string() })),
    noisiestRules: z.array(
      z.object({ rule: z.string(), count: z.int(), q: z.string(), ignored: z.int(), ignoredQ: z.string() }),
    ),
    oldestCritical: z.array(
      z.object({ issueId: id('Finding'), title: z.string(), projectName: z.string(), firstSeenAt: timestamp() }),
    ),
    broken: z.array(
      z.object({ kind: oneOf(['SCAN_FAILED', 'PROJECT_SILENT']), text: z.string(), href: z.string().optional() }),
    ),
    /** Projects that the caller can see. */
    projectCount: z.int(),
    asOf: timestamp(),
  },
  faults: [PERIOD_REFUSED, INVALID_QUERY],
});
