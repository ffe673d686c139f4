import { invitationLink } from '#domain/invitations/invitation-link.ts';
import { invitationMail, MAX_MAIL_ATTEMPTS } from '#domain/invitations/mail-job.ts';
import * as invitations from '#domain/invitations/store.ts';
import { type NewNotification, notify } from '#domain/notifications/store.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { invitationMessage } from './invitation-mail.ts';

/** Mails an invitation, unless it was accepted or replaced, or has expired. */
export const invitationMailer = (services: Pick<Services, 'keys' | 'mail' | 'baseUrl'>): JobHandler =>
  jobHandler(invitationMail, async ({ deployment, payload, attempt, read, transact }) => {
    const found = await read((tx) => invitations.findForMail(tx, deployment, payload.invitation));
    if (!found) return;
    const message = invitationMessage({
      email: found.email,
      deploymentName: found.deployment_name,
      inviterName: found.inviter_name,
      expiresAt: found.expires_at,
      link: invitationLink(services.baseUrl, invitations.invitationToken(services.keys, found.nonce)),
    });
    try {
      await services.mail.send(message);
    } catch (error) {
      if (attempt < MAX_MAIL_ATTEMPTS) throw error;
      await transact((tx) => notify(tx, failureOf(deployment, found.email)));
    }
  });

const failureOf = (deployment: string, email: string): NewNotification => ({
  deployment,
  isAdminOnly: true,
  severity: 'SEVERITY_ERROR',
  title: `The invitation of ${email} could not be mailed`,
  description: 'The mail server repeatedly refused it or did not answer. Check the address and send a new invitation.',
});
