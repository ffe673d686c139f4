import type { MailMessage } from '#kernel/mail/mail.ts';

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
