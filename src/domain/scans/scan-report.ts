import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';

/** Stores the report of a scan as it was received, one row per chunk of the source. */
export async function saveReport(
  tx: Tx,
  { deployment, scan }: { deployment: string; scan: string },
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  let chunk = 0;
  for await (const bytes of chunks)
    await tx.run`
      insert into scan_report (deployment_id, scan_id, chunk, bytes)
      values (${deployment}, ${scan}, ${chunk++}, ${bytes})
      on conflict (deployment_id, scan_id, chunk) do update set bytes = excluded.bytes`;
  await tx.run`
    delete from scan_report where deployment_id = ${deployment} and scan_id = ${scan} and chunk >= ${chunk}`;
}

const ReportChunk = z.object({ bytes: z.instanceof(Buffer) });

/** The report of a scan in chunks; empty if none was stored. */
export async function* streamReport(
  tx: Tx,
  { deployment, scan }: { deployment: string; scan: string },
): AsyncGenerator<Buffer> {
  for (let chunk = 0; ; chunk++) {
    const row = await tx.one(ReportChunk)`
      select bytes from scan_report where deployment_id = ${deployment} and scan_id = ${scan} and chunk = ${chunk}`;
    if (!row) return;
    yield row.bytes;
  }
}
