import { z } from 'zod';
import * as accounts from '#domain/accounts/store.ts';
import { inviteAll } from '#domain/invitations/invite-all.ts';
import { MAX_PENDING_INVITATIONS } from '#domain/invitations/shape.ts';
import * as invitations from '#domain/invitations/store.ts';
import { endMembership } from '#domain/provisioning/end-membership.ts';
import { enrollMember } from '#domain/teams/enrollment.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import * as groups from './group-store.ts';
import type { ScimUserInput } from './scim-shape.ts';
import * as settings from './settings-store.ts';
import * as users from './user-store.ts';

type ProvisioningCall = Pick<Call, 'tx' | 'caller' | 'services' | 'now' | 'answer'>;

const isTrue = (flag: unknown): boolean => flag === true || String(flag).toLowerCase() === 'true';

const withoutNulls = <Value extends object>(value: Value): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== undefined));

/** The address that is invited: the primary one, else the first, else the user name if it is one. */
function addressOf({ emails, userName }: ScimUserInput): string | undefined {
  const primary = emails?.find((email) => isTrue(email.primary)) ?? emails?.[0];
  return [primary?.value, userName].find((text) => z.email().max(320).safeParse(text).success);
}

/** What is stored of a person; attributes that this server does not have are left out. */
export function draftOf(input: ScimUserInput): users.UserDraft {
  const { userName, externalId, active, name, emails, displayName, title } = input;
  const data = withoutNulls({
    name: name && withoutNulls(name),
    displayName,
    title,
    // Shown unless a change has removed it; then the person is active.
    active: active === null || active === undefined ? undefined : isTrue(active),
    emails: emails?.map(({ primary, ...email }) =>
      withoutNulls({ ...email, ...(primary !== null && primary !== undefined && { primary: isTrue(primary) }) }),
    ),
  });
  return {
    userName,
    externalId: externalId ?? undefined,
    email: addressOf(input),
    isActive: active === null || active === undefined ? true : isTrue(active),
    data,
  };
}

const nameOf = ({ data }: users.StoredUser): string => {
  const { displayName } = data as { displayName?: string };
  const { formatted, givenName, familyName } = (data['name'] ?? {}) as Record<string, string>;
  return displayName ?? formatted ?? [givenName, familyName].filter(Boolean).join(' ');
};

/** Invites a person who is no member. Beyond the limit of invitations nobody is: they can be invited by hand. */
async function invite(call: ProvisioningCall, user: users.StoredUser): Promise<void> {
  const { tx, caller, now } = call;
  const inviter = await settings.findInviter(tx, caller.deployment);
  if (user.email === undefined || inviter === undefined) return;
  if ((await invitations.countPending(tx, caller.deployment, now)) >= MAX_PENDING_INVITATIONS) return;
  const invited = { emails: [user.email], name: nameOf(user).slice(0, 128) };
  await inviteAll({ ...call, caller: { ...caller, userId: inviter } }, invited);
}

/**
 * Makes the membership agree with the stored person. A member with the address is linked; others are invited, because
 * an account belongs to its owner. Who was a member before becomes one again.
 */
export async function activate(call: ProvisioningCall, user: users.StoredUser, wasActive: boolean): Promise<void> {
  const { tx, caller } = call;
  const ref = { deployment: caller.deployment, id: user.id };
  const account = user.account_id ?? (await users.linkMember(tx, ref));
  if (account === undefined) {
    if (!wasActive) await invite(call, user);
    return;
  }
  const member = { deployment: caller.deployment, account };
  if (!wasActive && !(await accounts.isMember(tx, member)))
    await enrollMember(tx, { ...member, role: await settings.findDefaultRole(tx, caller.deployment) });
  await groups.syncTeamsOf(tx, ref);
}

/** Ends the membership, the sessions and the tokens of a person, or the invitation. Returns what was ended. */
export async function deactivate({ tx, caller }: ProvisioningCall, user: users.StoredUser): Promise<object> {
  const { deployment } = caller;
  const account = user.account_id ?? (await users.linkMember(tx, { deployment, id: user.id }));
  if (user.email !== undefined) await settings.cancelInvitation(tx, deployment, user.email);
  if (account === undefined || !(await accounts.isMember(tx, { deployment, account }))) return {};
  return endMembership(tx, { deployment, account, endsSessions: true });
}
