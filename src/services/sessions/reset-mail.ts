import { z } from 'zod';
import { resetAddress, resetToken } from '#domain/accounts/reset-link.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { job } from '#kernel/jobs/job.ts';

/** About ten minutes: the link is valid for an hour. */
const MAX_ATTEMPTS = 8;

/** Enqueued for every address that asks, so that the request takes as long for one without an account. */
export const resetMail = job({
  kind: 'password-reset.mail',
  payload: {
    email: z.string(),
    /** Absent if the address has no account. */
    link: z.object({ account: z.string(), password: z.string(), untilMs: z.int() }).optional(),
  },
  maxAttempts: MAX_ATTEMPTS,
});

/** Mails a link to set a new password. */
export const resetMailer = (services: Pick<Services, 'keys' | 'mail' | 'baseUrl'>): JobHandler =>
  jobHandler(resetMail, async ({ payload: { email, link } }) => {
    if (link === undefined || !services.mail.isOn) return;
    await services.mail.send({
      to: email,
      subject: 'Set a new password for Parapet',
      text: [
        'Hello,',
        '',
        'somebody asked to set a new password for your account on Parapet.',
        'This link works once, for one hour:',
        '',
        resetAddress(services.baseUrl, resetToken(services.keys, link)),
        '',
        'If it was not you, ignore this: your password has not changed.',
        '',
      ].join('\n'),
    });
  });
