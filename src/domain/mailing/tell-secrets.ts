import { z } from 'zod';
import { projectVisibilityFor } from '#domain/teams/visibility.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { callerOf, listReaders, mailReaders } from './mailboxes.ts';

const SecretRow = z.object({ id: z.string(), project_id: z.string() });

/** Secrets that work and that a batch found, reopened, or proved to work. */
const findNews = (tx: Tx, deployment: string, batch: string) =>
  tx.all(SecretRow)`
    select finding.id, finding.project_id from finding_batch as batch
    join scan on scan.deployment_id = batch.deployment_id and scan.id = batch.scan_id
    join project on project.deployment_id = scan.deployment_id and project.id = scan.project_id
      and project.archived_at is null
    join finding on finding.deployment_id = scan.deployment_id and finding.project_id = scan.project_id
    where batch.deployment_id = ${deployment} and batch.id = ${batch} and batch.kind = 'scan'
      and batch.undone_at is null and finding.product = 'secrets' and finding.validation = 'confirmed_valid'
      and finding.status not in ('fixed', 'removed', 'ignored')
      and (finding.relevant_since = batch.at or exists (
        select from finding_event as event
        where event.deployment_id = ${deployment} and event.batch_id = batch.id and event.finding_id = finding.id
          and event.kind = 'changed' and event.before ? 'validation'))
    order by finding.id`;

/** Mails at once about secrets that work, to everybody who sees the project and has not declined such mails. */
export async function tellOfValidSecrets(
  tx: Tx,
  { deployment, batch, at }: { deployment: string; batch: string; at: Date },
): Promise<number> {
  const secrets = await findNews(tx, deployment, batch);
  const [first] = secrets;
  if (!first) return 0;
  const readers = (await listReaders(tx, deployment)).filter((reader) => reader.has_valid_secrets);
  const callers = new Map(readers.map((reader) => [reader, callerOf(deployment, reader)]));
  const projects = [first.project_id];
  const sees = await projectVisibilityFor(tx, [...callers.values()], { deployment, projects });
  const told = [...callers].filter(([, caller]) => sees(caller, first.project_id)).map(([reader]) => reader);
  const news = { deployment, kind: 'valid_secret', subject: { batch }, findings: secrets.map(({ id }) => id), at };
  return mailReaders(tx, news, told);
}
