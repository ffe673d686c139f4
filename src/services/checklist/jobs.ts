import { z } from 'zod';
import * as invitations from '#domain/invitations/store.ts';
import type { Powers } from '#kernel/http/powers.ts';
import { type Handler, handler } from '#kernel/jobs/handler.ts';
import { job } from '#kernel/jobs/job.ts';
import { letterOf, linkOf } from './letter.ts';

/** A mail server that is down for the life of an invitation need not be asked after it. */
const MOST_ATTEMPTS = 12;

export const invitationMail = job({
  kind: 'invitation.mail',
  payload: { invitation: z.string() },
  maxAttempts: MOST_ATTEMPTS,
});

/** Sends an invitation; one that was accepted, replaced or has run out is not sent. */
export const invitationMailer = (powers: Pick<Powers, 'keys' | 'mail' | 'baseUrl'>): Handler =>
  handler(invitationMail, async ({ deployment, payload, read }) => {
    const found = await read((tx) => invitations.findOutgoing(tx, deployment, payload.invitation));
    if (!found) return;
    await powers.mail.send(
      letterOf({
        email: found.email,
        deploymentName: found.deployment_name,
        inviterName: found.inviter_name,
        expiresAt: found.expires_at,
        link: linkOf(powers.baseUrl, invitations.tokenOf(powers.keys, found.nonce)),
      }),
    );
  });
