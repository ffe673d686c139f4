import { z } from 'zod';
import { notify } from '#domain/notifications/store.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { type Sql, sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { HoldReason } from '../tracking/close-missing.ts';

const REASONS: Record<HoldReason, string> = {
  'no-results': 'it reported nothing at all',
  'fewer-rules': 'it ran fewer rules than the scan before',
  'fewer-paths': 'it searched fewer files than the scan before',
};

export interface HeldClosings {
  deployment: string;
  project: string;
  scan: string;
  held: number;
  reason: HoldReason;
}

/** What a sender of the report needs to know about held closings. */
export function heldWarning({ scan, held, reason }: Pick<HeldClosings, 'scan' | 'held' | 'reason'>): string {
  const findings = held === 1 ? '1 finding stays' : `${held} findings stay`;
  return (
    `${findings} open although this scan did not report them, because ${REASONS[reason]}. The next full scan of this ` +
    `branch that does not report them either closes them. Confirm or reject the closings on the page of scan ${scan}.`
  );
}

/** Scans of visible projects whose closings wait for confirmation, with their number. */
export const heldClosingsSql = (caller: Caller): Sql => sql`
  select detection.changed_scan_id as scan_id, project.id as project_id, project.name as project_name,
    coalesce(project_ref.ref, '') as ref, max(detection.changed_at) as at, count(*)::integer as count
  from detection
  join analysis on analysis.deployment_id = detection.deployment_id and analysis.id = detection.analysis_id
  join project on project.deployment_id = analysis.deployment_id and project.id = analysis.project_id
  left join project_ref on project_ref.deployment_id = analysis.deployment_id and project_ref.id = analysis.ref_id
  where detection.deployment_id = ${unestimated(caller.deployment)} and detection.is_held
    and project.archived_at is null
    and ${projectVisibilitySql(caller)}
  group by detection.changed_scan_id, project.id, project.name, project_ref.ref`;

const Place = z.object({ slug: z.string(), name: z.string() });

/** Tells the administrators, because findings that stay open by mistake look like work, and nobody reads a CI log. */
export async function notifyOfHeldClosings(tx: Tx, closings: HeldClosings): Promise<void> {
  const { deployment, project, scan, held } = closings;
  const place = await tx.one(Place)`
    select deployment.slug, project.name from deployment
    join project on project.deployment_id = deployment.id and project.id = ${project}
    where deployment.id = ${deployment}`;
  if (!place) throw new Error('The project of a scan does not exist.');
  await notify(tx, {
    deployment,
    isAdminOnly: true,
    severity: 'SEVERITY_WARNING',
    title: `${place.name}: ${held} closings wait for confirmation`,
    description: heldWarning(closings),
    link: `/o/${place.slug}/scans/${scan}`,
    linkText: 'Scan',
  });
}
