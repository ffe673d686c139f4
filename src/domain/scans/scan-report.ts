import type { Tx } from '#kernel/db/tx.ts';

/** Keeps the report of a scan as it came, in pieces that are never larger than a source hands them out. */
export async function saveReport(
  tx: Tx,
  { deployment, scan }: { deployment: string; scan: string },
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  let chunk = 0;
  for await (const bytes of pieces)
    await tx.run`
      insert into scan_report (deployment_id, scan_id, chunk, bytes)
      values (${deployment}, ${scan}, ${chunk++}, ${bytes})
      on conflict (deployment_id, scan_id, chunk) do update set bytes = excluded.bytes`;
  await tx.run`
    delete from scan_report where deployment_id = ${deployment} and scan_id = ${scan} and chunk >= ${chunk}`;
}

/** The report of a scan, chunk by chunk; nothing when none was kept. */
export async function* streamReport(
  tx: Tx,
  { deployment, scan }: { deployment: string; scan: string },
): AsyncGenerator<Buffer> {
  for (let chunk = 0; ; chunk++) {
    const [row] = await tx.rows`
      select bytes from scan_report where deployment_id = ${deployment} and scan_id = ${scan} and chunk = ${chunk}`;
    if (!row) return;
    yield row['bytes'] as Buffer;
  }
}
