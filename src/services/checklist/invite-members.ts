import { emailKey } from '#domain/accounts/store.ts';
import * as deployments from '#domain/deployments/store.ts';
import * as invitations from '#domain/invitations/store.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { enqueueAll } from '#kernel/jobs/job.ts';
import { INVITATION_QUOTA, MAX_PENDING_INVITATIONS } from './contract.ts';
import { invitationLink } from './invitation-mail.ts';
import { invitationMail } from './jobs.ts';

const LIFETIME_MS = 24 * 3600 * 1000;

type InviteCall = Pick<Call, 'tx' | 'caller' | 'services' | 'now' | 'answer'>;

/** Invites all addresses that are not members yet, and returns the result as a message. */
export async function inviteAll({ tx, caller, services, now, answer }: InviteCall, emails: string[]): Promise<string> {
  const { deployment, userId } = caller;
  await deployments.lock(tx, deployment);
  const members = await invitations.findMemberEmailKeys(tx, deployment, emails);
  const newEmails = emails.filter((email) => !members.has(emailKey(email)));
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const created = await invitations.insertAll(tx, services.keys, {
    deployment,
    invitedBy: userId,
    emails: newEmails,
    expiresAt,
  });
  // Counted afterwards, because an invitation of the same address replaces the earlier one.
  if ((await invitations.countPending(tx, deployment, now)) > MAX_PENDING_INVITATIONS)
    throw INVITATION_QUOTA({ most: MAX_PENDING_INVITATIONS });
  if (services.mail.isOn) {
    const jobs = created.map(({ id }) => ({ deployment, payload: { invitation: id } }));
    await enqueueAll(tx, invitationMail, jobs);
  }
  answer.recordEffect({ object: 'invitation', after: { invited: newEmails } });
  return [invitedText(created.length), membersText(members.size), ...(services.mail.isOn ? [] : linksText(created))]
    .filter((part) => part !== '')
    .join('\n');

  function linksText(all: invitations.CreatedInvitation[]): string[] {
    if (all.length === 0) return [];
    const lines = all.map(({ email, token }) => `${email}: ${invitationLink(services.baseUrl, token)}`);
    return ['This server sends no mail: hand over these links yourself. Each works once, within 24 hours.', ...lines];
  }
}

const people = (count: number) => (count === 1 ? '1 person' : `${count} people`);
const invitedText = (count: number) => (count === 0 ? 'Nobody was invited.' : `${people(count)} invited.`);
const membersText = (count: number) => (count === 0 ? '' : `${people(count)} already here.`);
