import { z } from 'zod';
import {
  detectionsWithRefs,
  hasFix,
  hasTicket,
  isMalicious,
  ofFinding,
} from '#domain/findings/filter/finding-conditions.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';

/** What conditions read of a finding. Names are those of columns, because events store old values under them. */
export const FindingFacts = z.object({
  id: z.string(),
  project_id: z.string(),
  product: z.string(),
  rule: z.string(),
  severity: z.number(),
  confidence: z.number(),
  category: z.string(),
  cwes: z.array(z.string()),
  owasps: z.array(z.string()),
  path: z.string(),
  advisory: z.string().optional(),
  advisories: z.array(z.string()).default([]),
  transitivity: z.string().optional(),
  reachability: z.string().optional(),
  secret_type: z.string().optional(),
  validation: z.string().optional(),
  epss: z.coerce.number().optional(),
  has_fix: z.boolean(),
  is_malicious: z.boolean(),
  has_ticket: z.boolean(),
  classes: z.array(z.string()),
  refs: z.array(z.string()),
  is_on_primary: z.boolean(),
  is_full_scan: z.boolean(),
  state: z.string(),
  is_muted: z.boolean(),
  triage_state: z.string(),
  triage_source: z.string().optional(),
  episode: z.number(),
});
export type FindingFacts = z.output<typeof FindingFacts>;

/** Facts that take a look-up for each finding; they are empty unless a condition needs them. */
export type CostlyFact = 'refs' | 'classes';

const vulnerabilityClass = sql`finding.detail #> '{metadata,vulnerability_class}'`;

const classes = sql`case jsonb_typeof(${vulnerabilityClass})
  when 'array' then array(select jsonb_array_elements_text(${vulnerabilityClass}))
  when 'string' then array[finding.detail #>> '{metadata,vulnerability_class}']
  else '{}'::text[] end || finding.category`;

const refs = sql`array(select distinct project_ref.ref from ${detectionsWithRefs}
  where ${ofFinding} and detection.state = 'detected' order by 1)`;

/** Secrets count on any ref, so that their state does not tell where they are. */
const isOnPrimary = sql`case when finding.product = 'secrets' then exists (
    select from ${detectionsWithRefs}
    join project on project.deployment_id = project_ref.deployment_id and project.id = project_ref.project_id
    where ${ofFinding} and detection.state = 'detected'
      and project_ref.ref = coalesce(project.primary_branch, project.default_branch))
  else finding.state <> 'elsewhere' end`;

const none = sql`'{}'::text[]`;

/** The columns of the facts, for a query that provides `finding`. */
export const factColumns = (needed: ReadonlySet<CostlyFact>, isFullScan: boolean): Sql => sql`
  finding.deployment_id, finding.id, finding.project_id, finding.product, finding.rule, finding.severity,
  finding.confidence, finding.category, finding.cwes, finding.owasps, finding.path, finding.advisory,
  case when finding.product = 'sca' then array(select jsonb_array_elements_text(finding.detail->'advisories'))
    else ${none} end as advisories,
  finding.transitivity, finding.reachability, finding.secret_type, finding.validation,
  case when finding.product = 'sca' then (finding.detail->'epss'->>'score')::numeric end as epss,
  ${hasFix(sql`finding.detail`)} as has_fix, ${isMalicious} as is_malicious, ${hasTicket} as has_ticket,
  ${needed.has('classes') ? classes : none} as classes, ${needed.has('refs') ? refs : none} as refs,
  ${isOnPrimary} as is_on_primary, ${isFullScan}::boolean as is_full_scan, finding.state, finding.is_muted,
  finding.triage_state, finding.triage_source, finding.reopened_count as episode`;

export const ALL_FACTS: ReadonlySet<CostlyFact> = new Set(['refs', 'classes']);
