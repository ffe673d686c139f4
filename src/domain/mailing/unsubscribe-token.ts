import { z } from 'zod';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ReaderRef } from './mail-settings.ts';

const PURPOSE = 'mail unsubscription';

/** What a mail was about, and so what its link ends. */
export const MAIL_TOPICS = ['digest', 'validSecrets', 'incidents', 'automations'] as const;
export type MailTopic = (typeof MAIL_TOPICS)[number];

const Content = z.object({ deployment: z.string(), account: z.string(), topic: z.enum(MAIL_TOPICS) });
export type Unsubscription = z.output<typeof Content>;

/** It does not expire: a mail may be read late, and it can end nothing but mail. */
export const issueUnsubscribeToken = (keys: KeyRing, { deployment, account }: ReaderRef, topic: MailTopic): string =>
  seal(keys.derive('mail-unsubscribe'), PURPOSE, JSON.stringify({ deployment, account, topic }));

export function verifyUnsubscribeToken(keys: KeyRing, token: string): Unsubscription | undefined {
  const payload = unseal(keys.derive('mail-unsubscribe'), PURPOSE, token);
  return payload ? Content.parse(JSON.parse(payload.toString('utf8'))) : undefined;
}

export const unsubscribeUrl = (baseUrl: string, token: string): string =>
  `${baseUrl}/api/notifications/unsubscribe/${token}`;

/** Ends mails of a topic; false if the account is no member any more. */
export async function unsubscribe(tx: Tx, { deployment, account, topic }: Unsubscription): Promise<boolean> {
  const isDigest = topic === 'digest';
  const count = await tx.run`
    update mail_setting set
      findings = case when ${isDigest} then 'never' else findings end,
      approvals = case when ${isDigest} then 'never' else approvals end,
      notices = case when ${isDigest} then 'never' else notices end,
      next_at = case when ${isDigest} then null else next_at end,
      has_valid_secrets = has_valid_secrets and ${topic !== 'validSecrets'},
      has_incidents = has_incidents and ${topic !== 'incidents'},
      has_automations = has_automations and ${topic !== 'automations'}, version = version + 1
    where deployment_id = ${deployment} and account_id = ${account}`;
  return count === 1;
}
