import { z } from 'zod';
import { notify } from '#domain/notifications/store.ts';
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
    `branch that does not report them either closes them. If this report is wrong, undo scan ${scan} or send a ` +
    'complete report.'
  );
}

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
