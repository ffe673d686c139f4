import { emailKey } from '#domain/accounts/store.ts';
import * as deployments from '#domain/deployments/store.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { enqueueAll } from '#kernel/jobs/job.ts';
import { invitationLink } from './invitation-link.ts';
import { invitationMail } from './mail-job.ts';
import { INVITATION_QUOTA, MAX_PENDING_INVITATIONS } from './shape.ts';
import * as invitations from './store.ts';

const LIFETIME_MS = 24 * 3600 * 1000;

export type InviteCall = Pick<Call, 'tx' | 'caller' | 'services' | 'now' | 'answer'>;

export interface InvitedPeople {
  emails: readonly string[];
  /** Without it they get the default role of the deployment when they are invited. */
  role?: string | undefined;
  name?: string | undefined;
}

export interface InviteResult {
  /** With the links only if the server sends no mail. */
  invited: { email: string; link: string | undefined }[];
  /** The number of addresses that were left out, because they belong to members. */
  members: number;
}

/**
 * Invites all addresses that are not members yet. Nobody becomes a member before they accept, and the result does not
 * depend on whether an address has an account.
 */
export async function inviteAll(
  { tx, caller, services, now, answer }: InviteCall,
  { emails, role, name = '' }: InvitedPeople,
): Promise<InviteResult> {
  const { deployment, userId } = caller;
  await deployments.lock(tx, deployment);
  const members = await invitations.findMemberEmailKeys(tx, deployment, emails);
  const newEmails = emails.filter((email) => !members.has(emailKey(email)));
  const created = await invitations.insertAll(tx, services.keys, {
    deployment,
    invitedBy: userId,
    emails: newEmails,
    role,
    name,
    expiresAt: new Date(now.getTime() + LIFETIME_MS),
  });
  // Counted afterwards, because an invitation of the same address replaces the earlier one.
  if ((await invitations.countPending(tx, deployment, now)) > MAX_PENDING_INVITATIONS)
    throw INVITATION_QUOTA({ most: MAX_PENDING_INVITATIONS });
  if (services.mail.isOn) {
    const jobs = created.map(({ id }) => ({ deployment, payload: { invitation: id } }));
    await enqueueAll(tx, invitationMail, jobs);
  }
  answer.recordEffect({ object: 'invitation', after: { invited: newEmails, role } });
  const linkOf = ({ token }: invitations.CreatedInvitation) =>
    services.mail.isOn ? undefined : invitationLink(services.baseUrl, token);
  return { invited: created.map((one) => ({ email: one.email, link: linkOf(one) })), members: members.size };
}
