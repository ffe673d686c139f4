import { z } from 'zod';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { findingsByIds, unknownFindingIds } from '#domain/findings/filter/finding-ids.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { findingsOf, type TicketRef } from './ticket-store.ts';

const Resolved = z.object({ finding_id: z.string() });

/** The findings of these ids, which may also be ids of detections. Refuses what the caller may not see. */
export async function requireFindings(
  tx: Tx,
  context: CallerContext,
  { ids, pointer }: { ids: readonly string[]; pointer: string },
): Promise<string[]> {
  const unknown = await unknownFindingIds(tx, context, ids);
  refuseFieldErrors(
    VALIDATION_FAILED,
    ids.flatMap((id, index) =>
      unknown.has(id)
        ? [{ pointer: `${pointer}/${index}`, code: 'UNKNOWN_REFERENCE', detail: 'is not a finding of this deployment' }]
        : [],
    ),
  );
  const rows = await tx.all(Resolved)`select distinct finding_id from (${findingsByIds(ids)}) as requested`;
  return rows.map((row) => row.finding_id);
}

/** True if the ticket exists and the caller sees all of its findings: whoever does not may not change it for others. */
export async function seesTicket(
  tx: Tx,
  context: CallerContext,
  { instance, ...ref }: TicketRef & { instance?: string },
): Promise<boolean> {
  const rows = await tx.rows`
    select from ticket
    where deployment_id = ${ref.deployment} and id = ${ref.ticket}
      and (${instance ?? null}::bigint is null or destination_id = ${instance ?? null})`;
  if (rows.length === 0) return false;
  return (await unknownFindingIds(tx, context, await findingsOf(tx, ref))).size === 0;
}
