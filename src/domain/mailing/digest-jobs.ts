import { z } from 'zod';
import type { Database } from '#kernel/db/database.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { enqueueAll, job } from '#kernel/jobs/job.ts';
import { every } from '#kernel/jobs/schedule.ts';
import { digestSections } from './digest-content.ts';
import type { MailServices } from './mail-adapter.ts';
import { nextDue } from './mail-rules.ts';
import {
  changeableOf,
  DIGEST_PARTS,
  type DigestPart,
  findMailSettings,
  recordTold,
  type StoredMailSettings,
} from './mail-settings.ts';
import { callerOf, findReader, mailReaders } from './mailboxes.ts';

const PERIOD_MS = 5 * 60_000;

const startDigests = job({ kind: 'mail.digests', payload: {}, isUrgent: false });
const sendDigests = job({ kind: 'mail.digest', payload: {}, isUrgent: false });

export const digestSchedule = every(PERIOD_MS, startDigests, {});

const DueDeployment = z.object({ deployment_id: z.string() });

/** Enqueues a job for each deployment with members whose digest may be due. Nothing is due without a mail server. */
export const digestsHandler = (db: Database, { mail }: Pick<MailServices, 'mail'>): JobHandler =>
  jobHandler(startDigests, async () => {
    if (!mail.isOn) return;
    await db.transaction({ role: 'background', isRead: false }, async (tx) => {
      const due = await tx.all(DueDeployment)`
        select distinct deployment_id from mail_setting where next_at <= now() or has_now`;
      const jobs = due.map(({ deployment_id: deployment }) => ({ deployment, payload: {}, uniqueKey: 'digest' }));
      await enqueueAll(tx, sendDigests, jobs);
    });
  });

/** The parts that are due, with the moment from which on they tell what is new. */
export function dueParts(settings: StoredMailSettings, now: Date): Partial<Record<DigestPart, string>> {
  const due = DIGEST_PARTS.flatMap((part) => {
    const since = settings.told[part] ?? now.toISOString();
    const rhythm = settings[part];
    const at = rhythm === 'now' ? now : nextDue(rhythm, new Date(since), settings);
    return at !== undefined && at <= now ? [[part, since] as const] : [];
  });
  return Object.fromEntries(due);
}

const Candidate = z.object({ account_id: z.string() });

/** Members whose digest is due, or who get some parts at once and may have news. */
const listCandidates = (tx: Tx, deployment: string, now: Date) =>
  tx.all(Candidate)`
    select account_id from mail_setting as setting
    where deployment_id = ${deployment} and (next_at <= ${now}
      or notices = 'now' and exists (select from notification
        where notification.deployment_id = ${deployment} and notification.severity <> 'SEVERITY_INFO'
          and notification.created_at > (setting.told->>'notices')::timestamptz)
      or approvals = 'now' and exists (select from exception_request as request
        where request.deployment_id = ${deployment} and request.state = 'requested'
          and request.created_at > (setting.told->>'approvals')::timestamptz)
      or findings = 'now' and exists (select from finding
        where finding.deployment_id = ${deployment} and finding.product in ('sast', 'sca', 'secrets', 'ai_sast')
          and finding.relevant_since > (setting.told->>'findings')::timestamptz))
    order by account_id`;

/** Sends a digest to one member if there is news; returns whether there is. */
async function sendDigest(
  tx: Tx,
  { baseUrl }: Pick<MailServices, 'baseUrl'>,
  { deployment, account, now }: { deployment: string; account: string; now: Date },
): Promise<boolean> {
  const settings = await findMailSettings(tx, { deployment, account });
  const reader = settings && (await findReader(tx, deployment, account));
  if (!settings || !reader) return false;
  const since = dueParts(settings, now);
  const parts = Object.keys(since) as DigestPart[];
  await recordTold(tx, { deployment, account }, { settings: changeableOf(settings), parts, now });
  const sections = await digestSections(tx, { caller: callerOf(deployment, reader), since, address: baseUrl });
  if (sections.length === 0 || settings.isSuspended) return false;
  const news = { deployment, kind: 'reader_digest', subject: { since }, findings: [], at: now };
  await mailReaders(tx, news, [reader]);
  return true;
}

export async function sendDueDigests(
  tx: Tx,
  services: Pick<MailServices, 'baseUrl'>,
  { deployment, now }: { deployment: string; now: Date },
): Promise<number> {
  let sent = 0;
  for (const { account_id: account } of await listCandidates(tx, deployment, now))
    if (await sendDigest(tx, services, { deployment, account, now })) sent += 1;
  return sent;
}

export const digestHandler = (services: MailServices, clock: () => Date = () => new Date()): JobHandler =>
  jobHandler(sendDigests, async ({ deployment, transact }) => {
    await transact((tx) => sendDueDigests(tx, services, { deployment, now: clock() }));
  });
