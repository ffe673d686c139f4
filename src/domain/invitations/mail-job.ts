import { z } from 'zod';
import { job } from '#kernel/jobs/job.ts';

/** About an hour. After that the administrators are notified, because the link is valid for only a day. */
export const MAX_MAIL_ATTEMPTS = 12;

export const invitationMail = job({
  kind: 'invitation.mail',
  payload: { invitation: z.string() },
  maxAttempts: MAX_MAIL_ATTEMPTS,
});
