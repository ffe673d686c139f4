import type { Tx } from '#kernel/db/tx.ts';
import { type Asking, inProjects } from './filter.ts';

/** Which of these ids are neither of findings nor of detections that the caller may see. */
export async function unknownIds(tx: Tx, asking: Asking, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { deployment } = asking.caller;
  const rows = await tx.rows`
    select wanted.id from unnest(${ids}::bigint[]) as wanted (id)
    where not exists (
      select from finding
      where finding.deployment_id = ${deployment}
        and finding.id = coalesce((select detection.finding_id from detection
          where detection.deployment_id = ${deployment} and detection.id = wanted.id), wanted.id)
        and (${inProjects({}, asking)} or ${inProjects({ isArchived: true }, asking)}))`;
  return new Set(rows.map((row) => String(row['id'])));
}
