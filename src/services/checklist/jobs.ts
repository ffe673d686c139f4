import { z } from 'zod';
import * as invitations from '#domain/invitations/store.ts';
import { type News, notify } from '#domain/notifications/store.ts';
import type { Powers } from '#kernel/http/powers.ts';
import { type Handler, handler } from '#kernel/jobs/handler.ts';
import { job } from '#kernel/jobs/job.ts';
import { letterOf, linkOf } from './letter.ts';

/** Spans about an hour: then somebody should know, because the link lives for a day only. */
const MOST_ATTEMPTS = 12;

export const invitationMail = job({
  kind: 'invitation.mail',
  payload: { invitation: z.string() },
  maxAttempts: MOST_ATTEMPTS,
});

/** Sends an invitation; one that was accepted, replaced or has run out is not sent. */
export const invitationMailer = (powers: Pick<Powers, 'keys' | 'mail' | 'baseUrl'>): Handler =>
  handler(invitationMail, async ({ deployment, payload, attempt, read, transact }) => {
    const found = await read((tx) => invitations.findOutgoing(tx, deployment, payload.invitation));
    if (!found) return;
    const letter = letterOf({
      email: found.email,
      deploymentName: found.deployment_name,
      inviterName: found.inviter_name,
      expiresAt: found.expires_at,
      link: linkOf(powers.baseUrl, invitations.tokenOf(powers.keys, found.nonce)),
    });
    try {
      await powers.mail.send(letter);
    } catch (error) {
      if (attempt < MOST_ATTEMPTS) throw error;
      await transact((tx) => notify(tx, failureOf(deployment, found.email)));
    }
  });

const failureOf = (deployment: string, email: string): News => ({
  deployment,
  isAdminOnly: true,
  severity: 'SEVERITY_ERROR',
  title: `The invitation of ${email} could not be mailed`,
  description: 'The mail server refused it or did not answer, again and again. Check the address and invite anew.',
});
