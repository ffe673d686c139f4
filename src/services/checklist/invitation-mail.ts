import { reveal, type Secret } from '#kernel/crypto/secret.ts';
import type { MailMessage } from '#kernel/mail/mail.ts';

/** The token is in the fragment, which browsers send to no server, so that no proxy logs it. */
export const invitationLink = (baseUrl: string, token: Secret): string => `${baseUrl}/invitation#t=${reveal(token)}`;

export interface InvitationDetails {
  email: string;
  deploymentName: string;
  inviterName: string;
  expiresAt: Date;
  link: string;
}

/** The invitation mail. */
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
