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

const wanted = <Schema extends z.ZodType>(schema: Schema) => z.array(schema).max(MAX_REPORT_FILTER_VALUES).optional();
const wantedTexts = () => wanted(z.string().max(1024));

export const ReportPeriod = z.object({ since: timestamp().optional(), until: timestamp().optional() });

export const ReportFilter = z.object({
  timePeriod: ReportPeriod.optional(),
  timeBucketSize: oneOf(['TIME_BUCKET_SIZE_DAY', 'TIME_BUCKET_SIZE_WEEK', 'TIME_BUCKET_SIZE_MONTH']).optional(),
  findingTypes: wanted(
    oneOf(['FINDING_TYPE_CODE', 'FINDING_TYPE_SCA', 'FINDING_TYPE_SECRETS', 'FINDING_TYPE_UNSPECIFIED']),
  ),
  findingSeverities: wanted(
    oneOf([
      'FINDING_SEVERITY_LOW',
      'FINDING_SEVERITY_MEDIUM',
      'FINDING_SEVERITY_HIGH',
      'FINDING_SEVERITY_CRITICAL',
      'FINDING_SEVERITY_UNSPECIFIED',
    ]),
  ),
  projects: wantedTexts(),
  tags: wantedTexts(),
  confidence: wanted(
    oneOf([
      'FINDING_CONFIDENCE_LOW',
      'FINDING_CONFIDENCE_MEDIUM',
      'FINDING_CONFIDENCE_HIGH',
      'FINDING_CONFIDENCE_UNSPECIFIED',
    ]),
  ),
  reachability: wanted(
    oneOf([
      'FINDING_REACHABILITY_REACHABLE',
      'FINDING_REACHABILITY_ALWAYS_REACHABLE',
      'FINDING_REACHABILITY_CONDITIONALLY_REACHABLE',
      'FINDING_REACHABILITY_NO_REACHABILITY_ANALYSIS',
      'FINDING_REACHABILITY_UNREACHABLE',
      'FINDING_REACHABILITY_UNSPECIFIED',
    ]),
  ),
  validity: wanted(
    oneOf([
      'FINDING_VALIDITY_VALID',
      'FINDING_VALIDITY_INVALID',
      'FINDING_VALIDITY_ERROR',
      'FINDING_VALIDITY_NO_VALIDATOR',
      'FINDING_VALIDITY_UNSPECIFIED',
    ]),
  ),
  teams: wantedTexts(),
  ruleIds: wantedTexts(),
  aiVerdicts: wanted(
    oneOf(['VERDICT_TRUE_POSITIVE', 'VERDICT_FALSE_POSITIVE', 'VERDICT_NO_VERDICT', 'VERDICT_UNSPECIFIED']),
  ),
  deploymentStatuses: wanted(
    oneOf([
      'DEPLOYMENT_STATUS_UNKNOWN',
      'DEPLOYMENT_STATUS_DEPLOYED',
      'DEPLOYMENT_STATUS_NOT_DEPLOYED',
      'DEPLOYMENT_STATUS_UNSPECIFIED',
    ]),
  ),
  publicExposures: wanted(
    oneOf([
      'PUBLIC_EXPOSURE_UNKNOWN',
      'PUBLIC_EXPOSURE_PUBLIC',
      'PUBLIC_EXPOSURE_NOT_PUBLIC',
      'PUBLIC_EXPOSURE_UNSPECIFIED',
    ]),
  ),
  findingCategories: wantedTexts(),
  projectIds: wantedTexts(),
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
    'What became of the findings that policy wanted to show on pull and merge requests, counted where they started, ' +
    'as they stood at the end of the period or now. Without a period the last 90 days; without a size days up to 31 ' +
    'days, weeks up to 182, then months. Tags and teams are those that projects have now; a team takes along the ' +
    'teams below it. What is unknown or out of sight is simply not counted.',
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
  summary: 'Get how many findings are behind the guardrails activity report',
  description:
    'The same report, but of findings: one that came up on pull or merge requests again counts once in each number, ' +
    'so that `all` classes of a bucket, and the `totals` of classes, can be less than their sum. For days of UTC the ' +
    'keys `raised`, `raised-as`, `guardrail` and `as-of` of filters give the list of these findings.',
  maturity: 'experimental',
  isExtension: true,
});

/** Room for what the server adds to a filter before it has to be refused as too long. */
const LONGEST_FILTER = 1500;

const linked = { value: z.int(), q: z.string() };
const span = { start: timestamp(), end: timestamp() };

/** Numbers by name, and by the same name the filter of each. */
const counted = <const Name extends string>(names: readonly Name[]) => {
  const each = <Schema>(schema: () => Schema) =>
    Object.fromEntries(names.map((name) => [name, schema()])) as Record<Name, Schema>;
  return { ...each(() => z.int()), q: z.object(each(() => z.string())) };
};

export const getOverview = operation({
  route: 'POST /api/reporting/{deploymentId}/reports/overview',
  summary: 'Get the overview',
  description:
    'The state of all findings that `q` matches, and how it came about since a day. Days are those of UTC: `since` ' +
    'is the start of its day, `until` the end of its day, or now. Each `q` of the answer is a filter whose list has ' +
    'as many findings as the number beside it says. A finding is in the backlog from when it was first seen until it ' +
    'was fixed or somebody decided, as it stands now; `low` counts what is only informative too. `noisiestRules` are ' +
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
    q: z.string().max(LONGEST_FILTER).optional(),
  },
  reply: {
    numbers: z.object({
      open: z.object(linked),
      openPriority: z.object(linked),
      opened: z.object(linked),
      fixed: z.object(linked),
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
    asOf: timestamp(),
  },
  faults: [PERIOD_REFUSED, INVALID_QUERY],
});
