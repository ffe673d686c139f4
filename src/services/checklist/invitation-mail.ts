import { reveal, type Secret } from '#kernel/crypto/secret.ts';
import type { MailMessage } from '#kernel/mail/mail.ts';

/** The token stands behind the hash sign, so that browsers send it to no server and no proxy logs it. */
export const invitationLink = (baseUrl: string, token: Secret): string => `${baseUrl}/invitation#t=${reveal(token)}`;

export interface InvitationDetails {
  email: string;
  deploymentName: string;
  inviterName: string;
  expiresAt: Date;
  link: string;
}

/** What an invited person reads. */
export const invitationMessage = ({
  email,
  deploymentName,
  inviterName,
  expiresAt,
  link,
}: InvitationDetails): MailMessage => ({
  to: email,
  subject: `Join ${deploymentName} on Parapet`,
  text: [
    'Hello,',
    '',
    `${inviterName} invites you to ${deploymentName} on Parapet.`,
    '',
    'Accept with this link. It works once, for this address only, and until',
    `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC:`,
    '',
    link,
    '',
    'If you did not expect this, ignore it: nothing happens without the link.',
    '',
  ].join('\n'),
});
