import { z } from 'zod';
import { PackageVersion } from '#domain/dependencies/shape.ts';
import { INVALID_QUERY } from '#domain/findings/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { epochSeconds, id, nullable, page, pageSize, timestamp } from '#kernel/contract/plain-fields.ts';
import { deployment, oneOf } from '#kernel/contract/proto-fields.ts';

export const MAX_V1_FILTER_VALUES = 500;
const MAX_VALUE_LENGTH = 1024;
const MAX_QUERY_LENGTH = 2000;
export const MAX_V1_OFFSET = 1_000_000;

export const PAGE_TOO_FAR = fault(
  'PAGE_TOO_FAR',
  400,
  'A page can begin after at most {most} records.',
  'Narrow the filter, for instance by `since`, or read the findings with the cursor of the v2 list.',
);

export const V1_ISSUE_TYPES = ['sast', 'sca', 'ai_sast'] as const;
export const V1_STATUSES = ['open', 'fixed', 'ignored', 'reviewing', 'fixing', 'provisionally_ignored'] as const;
export const V1Status = oneOf(V1_STATUSES);
export const V1_TRIAGE_REASONS = [
  'acceptable_risk',
  'false_positive',
  'no_time',
  'no_triage_reason',
  'duplicate',
] as const;
export const V1TriageReason = oneOf(V1_TRIAGE_REASONS);
export const V1_SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export const V1Severity = oneOf(V1_SEVERITIES);
export const V1_CONFIDENCES = ['low', 'medium', 'high'] as const;
export const V1_EXPOSURES = [
  'reachable',
  'always_reachable',
  'conditionally_reachable',
  'unreachable',
  'unknown',
] as const;
export const V1Exposure = oneOf(V1_EXPOSURES);
export const V1_TRANSITIVITIES = ['direct', 'transitive', 'unknown'] as const;
export const V1Transitivity = oneOf(V1_TRANSITIVITIES);
export const V1_VERDICTS = ['true_positive', 'false_positive'] as const;
export const V1Verdict = oneOf(V1_VERDICTS);
export const V1_POLICIES = ['rule-board-audit', 'rule-board-pr-comments', 'rule-board-block'] as const;
export const V1Policy = oneOf(V1_POLICIES);

export const v1FilterList = <Schema extends z.ZodType>(schema: Schema) =>
  z.array(schema).max(MAX_V1_FILTER_VALUES).optional();
export const v1FilterTexts = () => v1FilterList(z.string().max(MAX_VALUE_LENGTH));
export const v1QueryText = () => z.string().max(MAX_QUERY_LENGTH).optional();

export const V1Location = z.object({
  file_path: z.string(),
  line: z.int(),
  column: z.int(),
  end_line: z.int(),
  end_column: z.int(),
});
export const V1Ticket = z.object({
  external_slug: z.string(),
  id: z.int(),
  linked_issue_ids: z.array(z.int()),
  url: z.string(),
});
export const V1Confidence = oneOf(V1_CONFIDENCES);

const common = {
  id: id('Finding'),
  ref: z.string(),
  syntactic_id: z.string(),
  match_based_id: z.string(),
  repository: z.object({ name: z.string(), url: nullable(z.string()) }),
  line_of_code_url: nullable(z.string()),
  first_seen_scan_id: id('Scan'),
  state: oneOf(['fixed', 'muted', 'unresolved']),
  triage_state: oneOf(['untriaged', 'ignored', 'reopened', 'reviewing', 'fixing', 'provisionally_ignored']),
  status: V1Status,
  confidence: V1Confidence,
  created_at: timestamp(),
  relevant_since: timestamp(),
  rule_name: z.string(),
  rule_message: z.string(),
  location: nullable(V1Location),
  triaged_at: nullable(timestamp()),
  triage_comment: nullable(z.string()),
  triage_reason: nullable(V1TriageReason),
  state_updated_at: nullable(timestamp()),
};

const rule = {
  rule: z.object({
    name: z.string(),
    message: z.string(),
    confidence: V1Confidence,
    category: z.string(),
    subcategories: z.array(z.string()),
    vulnerability_classes: z.array(z.string()),
    cwe_names: z.array(z.string()),
    owasp_names: z.array(z.string()),
  }),
  external_ticket: nullable(V1Ticket),
  severity: V1Severity,
  review_comments: z.array(z.object({ external_discussion_id: z.string(), external_note_id: z.string() })),
};

const fixes = {
  click_to_fix_prs: z.array(z.object({ url: z.string(), created_at: timestamp() })),
  click_to_fix_failures: z.array(z.object({ reason: z.string(), created_at: timestamp() })),
};

const advice = {
  sourcing_policy: nullable(z.object({ id: z.int(), name: z.string(), slug: z.string() })),
  assistant: z.object({
    autofix: nullable(z.object({ fix_code: z.string(), explanation: z.string() })),
    autotriage: nullable(z.object({ verdict: V1Verdict, reason: z.string() })),
    guidance: nullable(z.object({ summary: z.string(), instructions: z.string() })),
    component: nullable(z.object({ tag: z.string(), risk: oneOf(['high', 'low', 'neutral']) })),
    rule_explanation: nullable(z.object({ summary: z.string(), explanation: z.string() })),
  }),
};

const categories = { categories: z.array(z.string()) };

/** A finding of a rule in code. */
export const V1SastFinding = z.object({ ...common, ...categories, ...rule, ...fixes, ...advice });

/** A finding of AI detection in code. */
export const V1AiFinding = z.object({ ...common, ...rule, ...fixes, ...advice, ai_impact: z.string() });

/** A known vulnerability of a dependency. */
export const V1ScaFinding = z.object({
  ...common,
  ...categories,
  ...rule,
  vulnerability_identifier: z.string(),
  reachability: oneOf([
    'no reachability analysis',
    'reachable',
    'always reachable',
    'conditionally reachable',
    'unreachable',
  ]),
  reachable_condition: nullable(z.string()),
  found_dependency: z.object({
    package: z.string(),
    version: z.string(),
    ecosystem: z.string(),
    transitivity: V1Transitivity,
    lockfile_line_url: nullable(z.string()),
  }),
  epss_score: nullable(z.object({ score: z.number(), percentile: z.number() })),
  fix_recommendations: z.array(PackageVersion),
  is_malicious: z.boolean(),
  usage: nullable(
    z.object({
      location: V1Location.extend({
        path: z.string(),
        start_line: z.int(),
        start_col: z.int(),
        end_col: z.int(),
        url: nullable(z.string()),
      }),
      external_ticket: nullable(V1Ticket),
    }),
  ),
});

export const listFindings = operation({
  route: 'GET /api/v1/deployments/{deploymentSlug}/findings',
  summary: 'List findings',
  description:
    'Findings of code and dependencies, most recently relevant first, without removed ones. A finding on several ' +
    'refs has one record for each ref, with its state there; with `dedup` it has one record. Filters that do not ' +
    'apply to the issue type are ignored. `q` is a further filter in the grammar of the filter bar.',
  maturity: 'experimental',
  allow: 'issue:read',
  path: { deploymentSlug: deployment() },
  query: {
    issue_type: z.array(oneOf(V1_ISSUE_TYPES)).min(1).max(V1_ISSUE_TYPES.length).default(['sast']),
    since: epochSeconds().optional(),
    page: page(),
    dedup: z.boolean().default(false),
    page_size: pageSize({ fallback: 100, min: 100, max: 3000 }),
    repos: v1FilterTexts(),
    repository_ids: v1FilterList(id('Project')),
    status: V1Status.optional(),
    triage_reasons: v1FilterList(V1TriageReason),
    severities: v1FilterList(V1Severity),
    ref: z.string().max(MAX_VALUE_LENGTH).optional(),
    policies: v1FilterList(V1Policy),
    rules: v1FilterTexts(),
    categories: v1FilterTexts(),
    confidence: V1Confidence.optional(),
    autotriage_verdict: V1Verdict.optional(),
    component_tags: v1FilterTexts(),
    exposures: v1FilterList(V1Exposure),
    transitivities: v1FilterList(V1Transitivity),
    is_malicious: z.boolean().optional(),
    click_to_fix_pr_state: v1FilterList(oneOf(['open', 'merged'])),
    q: v1QueryText(),
  },
  reply: { findings: z.array(z.union([V1SastFinding, V1ScaFinding, V1AiFinding])) },
  faults: [INVALID_QUERY, PAGE_TOO_FAR],
});
