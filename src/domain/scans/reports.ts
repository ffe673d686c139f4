import type { Tx } from '#kernel/db/tx.ts';

/** Keeps the report of a scan as it came, in pieces that are never larger than a source hands them out. */
export async function keepReport(
  tx: Tx,
  { deployment, scan }: { deployment: string; scan: string },
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  let piece = 0;
  for await (const bytes of pieces)
    await tx.run`
      insert into scan_report (deployment_id, scan_id, piece, bytes)
      values (${deployment}, ${scan}, ${piece++}, ${bytes})
      on conflict (deployment_id, scan_id, piece) do update set bytes = excluded.bytes`;
  await tx.run`
    delete from scan_report where deployment_id = ${deployment} and scan_id = ${scan} and piece >= ${piece}`;
}

/** The report of a scan, piece by piece; nothing when none was kept. */
export async function* readReportOf(
  tx: Tx,
  { deployment, scan }: { deployment: string; scan: string },
): AsyncGenerator<Buffer> {
  for (let piece = 0; ; piece++) {
    const [row] = await tx.rows`
      select bytes from scan_report where deployment_id = ${deployment} and scan_id = ${scan} and piece = ${piece}`;
    if (!row) return;
    yield row['bytes'] as Buffer;
  }
}
