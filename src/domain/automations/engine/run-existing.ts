import { z } from 'zod';
import { type Sql, sql, unestimated, unprepared } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { costlyFactsOf, filtersSql, statesSql } from '../conditions/evaluate-filters.ts';
import { factColumns } from '../conditions/finding-facts.ts';
import { missingReference, resolveReferences } from '../conditions/references.ts';
import type { DestinationAdapters } from '../deliveries/destination-adapter.ts';
import type { AutomationFilters, AutomationTriggerSource } from '../shape.ts';
import type { StoredAutomation } from '../store.ts';
import { matchExisting } from './match-findings.ts';
import { runActions } from './run-actions.ts';
import { closeRun, openRun } from './run-log.ts';

/** Existing findings, with their facts, up to an id: later ones are left alone. */
const existingFacts = (deployment: string, filters: AutomationFilters, snapshot: string): Sql => sql`
  select ${factColumns(costlyFactsOf([filters]), true)}, false as is_archived
  from finding join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
  where finding.deployment_id = ${unestimated(deployment)} and finding.id <= ${snapshot}::bigint
    and project.archived_at is null
  offset 0`;

const Preview = z.object({
  count: z.number(),
  projects: z.array(z.object({ name: z.string(), count: z.number() })),
  worst: z.array(z.string()),
});
export type ExistingPreview = z.output<typeof Preview> & { missing: string | undefined };

export interface ExistingQuestion {
  deployment: string;
  filters: AutomationFilters;
  trigger: AutomationTriggerSource;
  snapshot: string;
  /** The stored automation; findings for which it has fired are not counted. */
  automation?: string | undefined;
}

/** What a run on existing findings would match: the number, the projects with most of them, and the worst ones. */
export async function previewExisting(
  tx: Tx,
  { deployment, filters, trigger, snapshot, automation }: ExistingQuestion,
): Promise<ExistingPreview> {
  const references = await resolveReferences(tx, deployment, [filters]);
  const missing = missingReference(filters, references);
  if (missing !== undefined) return { count: 0, projects: [], worst: [], missing };
  const preview = await tx.one(Preview)`
    with found as materialized (
      select finding.id, finding.project_id, finding.severity
      from (${existingFacts(deployment, filters, snapshot)}) as finding
      where ${unprepared(filtersSql(filters, references))} and ${statesSql(filters, trigger)} and not exists (
        select from automation_match as match
        where match.deployment_id = ${unestimated(deployment)} and match.automation_id = ${automation ?? '0'}
          and match.finding_id = finding.id and match.episode = finding.episode))
    select (select count(*)::integer from found) as count,
      (select coalesce(jsonb_agg(jsonb_build_object('name', project.name, 'count', most.count)
          order by most.count desc, project.name), '[]')
        from (select project_id, count(*) as count from found group by project_id
          order by count(*) desc, project_id limit 5) as most
        join project on project.deployment_id = ${unestimated(deployment)}
          and project.id = most.project_id) as projects,
      array(select id::text from found order by severity desc, id desc limit 5) as worst`;
  return { ...(preview ?? { count: 0, projects: [], worst: [] }), missing };
}

export interface ExistingRun {
  deployment: string;
  automation: StoredAutomation;
  snapshot: string;
  considered: number;
  by: string;
  at: Date;
}

/** Runs an automation on existing findings; all limits apply. Returns the run and the number of matches. */
export async function runOnExisting(
  tx: Tx,
  adapters: DestinationAdapters,
  { deployment, automation, snapshot, considered, by, at }: ExistingRun,
): Promise<{ run: string; matched: number }> {
  const start = performance.now();
  const run = await openRun(tx, { deployment, automation, cause: 'existing', startedBy: by, at, considered });
  if (run === undefined) throw new Error('A run without a batch was not recorded.');
  const references = await resolveReferences(tx, deployment, [automation.filters]);
  const source = existingFacts(deployment, automation.filters, snapshot);
  const { findings, suppressed } = await matchExisting(tx, { deployment, automation, references, run, at }, source);
  const counts = await runActions(tx, adapters, {
    ...{ deployment, automation, run, findings, at },
    isFirstScan: false,
    depth: 0,
  });
  const result = { matched: findings.length, suppressed: { ...suppressed, ...counts } };
  await closeRun(tx, { deployment, id: run }, { ...result, durationMs: performance.now() - start });
  return { run, matched: findings.length };
}
