import * as deployments from '#domain/deployments/store.ts';
import * as invitations from '#domain/invitations/store.ts';
import { emailKey } from '#domain/people/store.ts';
import type { Call } from '#kernel/http/group.ts';
import { enqueueAll } from '#kernel/jobs/job.ts';
import { INVITATION_QUOTA, MOST_OPEN } from './contract.ts';
import { invitationMail } from './jobs.ts';
import { linkOf } from './letter.ts';

const LIFETIME_MS = 24 * 3600 * 1000;

type Inviting = Pick<Call, 'tx' | 'caller' | 'powers' | 'now' | 'answer'>;

/** Invites all addresses that are not members yet, and says in a sentence what became of them. */
export async function invite({ tx, caller, powers, now, answer }: Inviting, emails: string[]): Promise<string> {
  const { deployment, userId } = caller;
  await deployments.lock(tx, deployment);
  const members = await invitations.membersAmong(tx, deployment, emails);
  const strangers = emails.filter((email) => !members.has(emailKey(email)));
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const made = await invitations.insertAll(tx, powers.keys, {
    deployment,
    invitedBy: userId,
    emails: strangers,
    expiresAt,
  });
  // Counted afterwards, because inviting an address again adds none.
  if ((await invitations.countOpen(tx, deployment, now)) > MOST_OPEN) throw INVITATION_QUOTA({ most: MOST_OPEN });
  if (powers.mail.isOn) {
    const orders = made.map(({ id }) => ({ deployment, payload: { invitation: id } }));
    await enqueueAll(tx, invitationMail, orders);
  }
  answer.changed({ object: 'invitation', after: { invited: strangers } });
  return [invitedText(made.length), membersText(members.size), ...(powers.mail.isOn ? [] : linksText(made))]
    .filter((part) => part !== '')
    .join('\n');

  function linksText(all: invitations.Made[]): string[] {
    if (all.length === 0) return [];
    const lines = all.map(({ email, token }) => `${email}: ${linkOf(powers.baseUrl, token)}`);
    return ['This server sends no mail: hand over these links yourself. Each works once, within 24 hours.', ...lines];
  }
}

const people = (count: number) => (count === 1 ? '1 person' : `${count} people`);
const invitedText = (count: number) => (count === 0 ? 'Nobody was invited.' : `${people(count)} invited.`);
const membersText = (count: number) => (count === 0 ? '' : `${people(count)} already here.`);
