import { z } from 'zod';
import { emailKey } from '#domain/accounts/store.ts';
import type {
  DeliveryMessage,
  DeliveryOutcome,
  DestinationAdapter,
  ResolvedDestination,
  WriteDuringSend,
} from '#domain/automations/deliveries/destination-adapter.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import { MailFailure } from '#kernel/mail/mail.ts';
import { composeMail, MailBody } from './compose-mail.ts';
import { recordRefusedAddress } from './mail-addresses.ts';
import { accountKey, addressKey, listReaders, MAIL_DESTINATION, openMailboxes } from './mailboxes.ts';

export type MailServices = Pick<Services, 'mail' | 'keys'> & { readonly baseUrl: string };

const Domain = z.object({ domain: z.string() });

/** The mailboxes of an action: those of members, and addresses of domains that the deployment has proved. */
async function resolve(tx: Tx, deployment: string, recipients: string): Promise<ResolvedDestination> {
  const addresses = [...new Set(recipients.split(',').map((part) => part.trim()))].filter((part) => part !== '');
  const members = new Map((await listReaders(tx, deployment)).map((reader) => [emailKey(reader.email), reader]));
  const domains = await tx.all(Domain)`
    select domain from deployment_domain where deployment_id = ${deployment} and proved_at is not null`;
  const proved = new Set(domains.map(({ domain }) => domain.toLowerCase()));
  const wanted: { key: string; name: string }[] = [];
  const refused: string[] = [];
  for (const address of addresses) {
    const member = members.get(emailKey(address));
    if (member) wanted.push({ key: accountKey(member.account), name: member.email });
    else if (proved.has(emailKey(address).split('@')[1] ?? ''))
      wanted.push({ key: addressKey(address), name: address });
    else refused.push(address);
  }
  const skip =
    refused.length === 0
      ? undefined
      : `${refused.join(', ')}: neither a member nor an address of a domain that the deployment has proved.`;
  const opened = wanted.length === 0 ? new Map<string, string>() : await openMailboxes(tx, deployment, wanted);
  return { destinations: [...opened.values()], skip };
}

const hostOf = (baseUrl: string) => (URL.canParse(baseUrl) ? new URL(baseUrl).hostname : 'parapet.invalid');

async function send(
  { mail, baseUrl }: MailServices,
  { deployment, write }: { deployment: string; write: WriteDuringSend },
  { id, body, at }: DeliveryMessage,
): Promise<DeliveryOutcome> {
  const { to, subject, text, html, unsubscribeUrl, thread } = MailBody.parse(JSON.parse(body));
  const host = hostOf(baseUrl);
  const headers = {
    'Auto-Submitted': 'auto-generated',
    References: `<${thread.toLowerCase()}.${deployment}@${host}>`,
    ...(unsubscribeUrl !== undefined && {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  };
  try {
    await mail.send({ to, subject, text, html, headers, messageId: `<${id}@${host}>` });
    return { kind: 'sent', reference: to };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    const { kind, message: detail, status } = error;
    const common = { detail, ...(status !== undefined && { status }) };
    if (kind === 'address')
      await write((tx) => recordRefusedAddress(tx, { deployment, address: to, reason: detail, at }));
    if (kind === 'address' || kind === 'message') return { ...common, kind: 'refused' };
    return { ...common, kind: kind === 'unclear' ? 'unclear' : 'failed' };
  }
}

const Named = z.object({ name: z.string() });

/** Mailboxes of members, and of proved domains. */
export function mailAdapter(services: MailServices): DestinationAdapter {
  return {
    kind: MAIL_DESTINATION,
    audience: 'people',
    actions: ['ACTION_TYPE_EMAIL'],

    resolve: async (tx, deployment, { config }) =>
      services.mail.isOn
        ? resolve(tx, deployment, config['recipients'] ?? '')
        : { skip: 'The operator has set no mail server.' },

    compose: (tx, delivery) => composeMail(tx, services, delivery),

    testBody: async (tx, { deployment, id }) => {
      const row = await tx.one(Named)`
        select name from destination where deployment_id = ${deployment} and id = ${id}`;
      const text = 'This is a test of a notification. Nothing was found.\n';
      const html = `<!doctype html><html lang="en"><body>${text}</body></html>`;
      return JSON.stringify({ to: row?.name ?? '', subject: '[Parapet] Test', text, html, thread: 'test' });
    },

    connect:
      async (_, { deployment }, write) =>
      (message) =>
        send(services, { deployment, write }, message),
  };
}
