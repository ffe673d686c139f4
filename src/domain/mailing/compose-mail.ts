import { z } from 'zod';
import type { DeliveryToCompose } from '#domain/automations/deliveries/destination-adapter.ts';
import {
  countsText,
  type FindingSummary,
  headlineOf,
  oneLineOf,
  type SummarizedFinding,
  severityName,
  summarizeFindings,
} from '#domain/automations/people/finding-summary.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { digestSections } from './digest-content.ts';
import { isSuspended } from './mail-addresses.ts';
import { htmlOf, type MailContent, subjectOf, textOf } from './mail-text.ts';
import { callerOf, findReader, type MailReader, ownerOf } from './mailboxes.ts';
import { issueUnsubscribeToken, type MailTopic, unsubscribeUrl } from './unsubscribe-token.ts';

export interface MailContext {
  keys: KeyRing;
  baseUrl: string;
}

/** The body of a delivery. */
export const MailBody = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  unsubscribeUrl: z.string().optional(),
  thread: z.string(),
});

const Addressee = z.object({ key: z.string(), name: z.string(), slug: z.string() });

const addresseeOf = (tx: Tx, { deployment, id }: DeliveryToCompose) =>
  tx.one(Addressee)`
    select destination.key, destination.name, deployment.slug from delivery
    join destination on destination.deployment_id = delivery.deployment_id and destination.id = delivery.destination_id
    join deployment on deployment.id = delivery.deployment_id
    where delivery.deployment_id = ${deployment} and delivery.id = ${id}`;

const TOPICS: Readonly<Record<string, MailTopic>> = {
  reader_digest: 'digest',
  valid_secret: 'validSecrets',
  incident: 'incidents',
};
const topicOf = (kind: string): MailTopic => TOPICS[kind] ?? 'automations';

const wants = (reader: MailReader, topic: MailTopic): boolean =>
  ({
    digest: true,
    validSecrets: reader.has_valid_secrets,
    incidents: reader.has_incidents,
    automations: reader.has_automations,
  })[topic];

const titleOf = ({ severity, title, has_returned: hasReturned }: SummarizedFinding) =>
  `${severityName(severity)}: ${oneLineOf(title, 150)}${hasReturned ? ' (came back)' : ''}`;

function findingsContent(summary: FindingSummary, address: string, { kind, subject }: DeliveryToCompose): MailContent {
  const isSecret = kind === 'valid_secret';
  const headline = isSecret ? headlineOf(summary).replace(/new findings?/, 'secrets that work') : headlineOf(summary);
  const more = summary.total - summary.worst.length;
  const names = (subject.automations ?? []).map(({ name }) => oneLineOf(name, 80)).join(', ');
  return {
    subject: `${headline} (${countsText(summary.counts)})`,
    intro: isSecret
      ? 'A scan found secrets that the service they belong to accepts. Revoke them first, then remove them.'
      : `${headline}: ${countsText(summary.counts)}.`,
    sections: [
      {
        heading: isSecret ? 'Secrets' : 'Worst findings',
        lines: summary.worst.map((finding) => ({
          text: titleOf(finding),
          detail: `${oneLineOf(finding.project, 100)} ${oneLineOf(finding.place, 200)}`,
          url: `${address}/findings/${finding.id}`,
        })),
        ...(more > 0 && { more: { text: `${more} more`, url: `${address}/findings` } }),
      },
    ],
    reason: isSecret
      ? 'You get this because you can see the project.'
      : `You get this from ${names === '' ? 'an automation' : names}.`,
  };
}

/** What a mail to this reader says now; a reason if there is nothing to say. */
async function contentOf(
  tx: Tx,
  delivery: DeliveryToCompose,
  { reader, address }: { reader: MailReader | undefined; address: string },
): Promise<MailContent | { skip: string }> {
  const { deployment, kind, subject, findings } = delivery;
  const caller = reader && callerOf(deployment, reader);
  if (kind === 'reader_digest') {
    const sections = caller ? await digestSections(tx, { caller, since: subject.since ?? {}, address }) : [];
    if (sections.length === 0) return { skip: 'There is nothing new for this reader.' };
    const headings = sections.map(({ heading }) => heading.toLowerCase()).join(', ');
    return {
      ...{ subject: `Digest: ${headings}`, intro: 'What is new since the last digest.', sections },
      reason: 'You get digests as your settings say.',
    };
  }
  const visibility = caller && projectVisibilitySql(caller);
  const summary = await summarizeFindings(tx, { deployment, findings, scan: subject.scan, visibility });
  return summary ? findingsContent(summary, address, delivery) : { skip: 'The reader may see none of its findings.' };
}

/** Writes a mail: for whom it is, what they may see at this moment, and how they end such mails. */
export async function composeMail(
  tx: Tx,
  { keys, baseUrl }: MailContext,
  delivery: DeliveryToCompose,
): Promise<string[] | { skip: string }> {
  const { deployment, kind } = delivery;
  const addressee = await addresseeOf(tx, delivery);
  if (!addressee) return [];
  const owner = ownerOf(addressee.key);
  const reader = 'account' in owner ? await findReader(tx, deployment, owner.account) : undefined;
  if ('account' in owner && !reader) return { skip: 'The reader is no member any more.' };
  const topic = topicOf(kind);
  if (reader && !wants(reader, topic)) return { skip: 'The reader does not want such mails.' };
  const to = reader?.email ?? addressee.name;
  if (await isSuspended(tx, deployment, to)) return { skip: 'The mail server refused the address repeatedly.' };
  const address = `${baseUrl}/o/${addressee.slug}`;
  const content = await contentOf(tx, delivery, { reader, address });
  if ('skip' in content) return content;
  const token = reader && issueUnsubscribeToken(keys, { deployment, account: reader.account }, topic);
  const footer = {
    settingsUrl: `${address}/settings/notifications`,
    ...(token !== undefined && { unsubscribeUrl: unsubscribeUrl(baseUrl, token) }),
  };
  const body: z.output<typeof MailBody> = {
    to,
    subject: subjectOf(`[Parapet] ${content.subject}`),
    text: textOf(content, footer),
    html: htmlOf(content, footer),
    ...(footer.unsubscribeUrl !== undefined && { unsubscribeUrl: footer.unsubscribeUrl }),
    thread: topic,
  };
  return [JSON.stringify(body)];
}
