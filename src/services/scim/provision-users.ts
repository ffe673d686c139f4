import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import type { Json } from './filter.ts';
import type { PatchableAttributes } from './patch.ts';
import { activate, deactivate, draftOf } from './provision.ts';
import { inputAfter, type ResourceChange } from './resource-change.ts';
import { MAX_SCIM_USERS, SCIM_TAKEN, SCIM_USER_QUOTA, ScimUserInput } from './scim-shape.ts';
import * as settings from './settings-store.ts';
import * as store from './user-store.ts';

type UserCall = Pick<Call, 'tx' | 'caller' | 'services' | 'now' | 'answer'>;

const ATTRIBUTES: PatchableAttributes = {
  userName: {},
  externalId: {},
  name: { sub: ['formatted', 'familyName', 'givenName'] },
  displayName: {},
  title: {},
  active: {},
  emails: { isMulti: true, sub: ['value', 'display', 'type', 'primary'] },
};

const lock = ({ tx, caller }: UserCall) => lockLimit(tx, { deployment: caller.deployment, limit: 'scim' });

async function requireFree({ tx, caller }: UserCall, id: string, draft: store.UserDraft): Promise<void> {
  const taken = await store.findTaken(tx, { deployment: caller.deployment, id }, draft);
  if (taken !== undefined) throw SCIM_TAKEN({ attribute: taken }, { members: { scimType: 'uniqueness' } });
}

/** The stored person after a change, with its version. */
async function stored({ tx, caller, answer }: UserCall, id: string): Promise<store.StoredUser> {
  const found = await store.find(tx, { deployment: caller.deployment, id });
  if (!found) throw NOT_FOUND();
  answer.setEtag(found.version);
  return found;
}

export async function createUser(call: UserCall, input: ScimUserInput): Promise<store.StoredUser> {
  const { tx, caller, answer } = call;
  const { deployment } = caller;
  const draft = draftOf({ ...input, active: input.active ?? true });
  await lock(call);
  await requireFree(call, '0', draft);
  if ((await store.countAll(tx, deployment)) >= MAX_SCIM_USERS) throw SCIM_USER_QUOTA({ most: MAX_SCIM_USERS });
  const user = await store.insert(tx, deployment, draft);
  const ended = draft.isActive ? await activate(call, user, false) : await deactivate(call, user);
  await settings.recordChange(tx, deployment, `${draft.userName} was provisioned`);
  answer.recordEffect({ object: `scim-user/${user.id}`, after: { ...draft, ended } });
  return stored(call, user.id);
}

const inputOf = (user: store.StoredUser): Json => ({
  ...user.data,
  userName: user.user_name,
  ...(user.external_id !== undefined && { externalId: user.external_id }),
});

/** Replaces or patches a person; `active` decides about the membership. */
export async function changeUser(
  call: UserCall,
  id: string,
  change: ResourceChange<ScimUserInput>,
): Promise<store.StoredUser> {
  const { tx, caller, answer } = call;
  const { deployment } = caller;
  await lock(call);
  const before = await store.findForUpdate(tx, { deployment, id });
  if (!before) throw NOT_FOUND();
  answer.expectVersion(before.version);
  const draft = draftOf(inputAfter(change, { before: inputOf(before), attributes: ATTRIBUTES, schema: ScimUserInput }));
  await requireFree(call, id, draft);
  await store.update(tx, { deployment, id }, draft);
  const user = { ...before, is_active: draft.isActive, email: draft.email, data: draft.data };
  const isOtherAddress = before.account_id === undefined && before.email !== draft.email;
  const ended = draft.isActive
    ? await activate(call, user as store.StoredUser, before.is_active && !isOtherAddress)
    : await deactivate(call, user as store.StoredUser);
  const what = before.is_active === draft.isActive ? 'changed' : draft.isActive ? 'activated' : 'deactivated';
  await settings.recordChange(tx, deployment, `${draft.userName} was ${what}`);
  answer.recordEffect({ object: `scim-user/${id}`, before: inputOf(before), after: { ...draft, ended } });
  return stored(call, id);
}

export async function removeUser(call: UserCall, id: string): Promise<void> {
  const { tx, caller, answer } = call;
  const { deployment } = caller;
  await lock(call);
  const before = await store.findForUpdate(tx, { deployment, id });
  if (!before) throw NOT_FOUND();
  const ended = await deactivate(call, before);
  await store.remove(tx, { deployment, id });
  await settings.recordChange(tx, deployment, `${before.user_name} was deprovisioned`);
  answer.recordEffect({ object: `scim-user/${id}`, before: inputOf(before), after: { ended } });
}
