import * as deployments from '#domain/deployments/store.ts';
import * as teams from '#domain/teams/store.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import type { Json } from './filter.ts';
import * as store from './group-store.ts';
import type { PatchableAttributes } from './patch.ts';
import { inputAfter, type ResourceChange } from './resource-change.ts';
import { MAX_SCIM_GROUPS, SCIM_GROUP_QUOTA, SCIM_REFUSED, SCIM_TAKEN, ScimGroupInput } from './scim-shape.ts';
import * as settings from './settings-store.ts';

type GroupCall = Pick<Call, 'tx' | 'caller' | 'answer'>;

const ATTRIBUTES: PatchableAttributes = {
  displayName: {},
  externalId: {},
  members: { isMulti: true, sub: ['value', 'display', 'type'] },
};

const taken = () => SCIM_TAKEN({ attribute: 'displayName' }, { members: { scimType: 'uniqueness' } });

const membersOf = (input: ScimGroupInput): string[] => [...new Set(input.members?.map(({ value }) => value))];

async function requireUsers({ tx, caller }: GroupCall, users: readonly string[]): Promise<void> {
  const [unknown] = await store.findUnknownUsers(tx, caller.deployment, users);
  if (unknown !== undefined)
    throw SCIM_REFUSED({ reason: `there is no person ${unknown}` }, { members: { scimType: 'invalidValue' } });
}

async function stored({ tx, caller, answer }: GroupCall, id: string): Promise<store.StoredGroup> {
  const found = await store.find(tx, { deployment: caller.deployment, id });
  if (!found) throw NOT_FOUND();
  answer.setEtag(found.version);
  return found;
}

/** Provisions a group: the team of its name, or a new one, gets its people. */
export async function createGroup(call: GroupCall, input: ScimGroupInput): Promise<store.StoredGroup> {
  const { tx, caller, answer } = call;
  const { deployment } = caller;
  const displayName = input.displayName.trim() || input.displayName;
  await deployments.lock(tx, deployment);
  if ((await store.countAll(tx, deployment)) >= MAX_SCIM_GROUPS) throw SCIM_GROUP_QUOTA({ most: MAX_SCIM_GROUPS });
  const known = await store.findTeam(tx, deployment, displayName);
  if (known?.is_taken) throw taken();
  const users = membersOf(input);
  await requireUsers(call, users);
  const team = known?.id ?? (await teams.insert(tx, { deployment, name: displayName, parent: undefined }));
  if (team === undefined) throw taken();
  const group = { displayName, externalId: input.externalId ?? undefined, team };
  const id = await store.insert(tx, deployment, group);
  await store.setMembers(tx, { deployment, id }, users);
  await store.syncTeam(tx, { deployment, id }, team);
  await settings.recordChange(tx, deployment, `the group ${displayName} was provisioned`);
  answer.recordEffect({ object: `scim-group/${id}`, after: { ...group, members: users } });
  return stored(call, id);
}

const inputOf = (group: store.StoredGroup): Json => ({
  displayName: group.display_name,
  ...(group.external_id !== undefined && { externalId: group.external_id }),
  members: group.members.map((value) => ({ value })),
});

export async function changeGroup(
  call: GroupCall,
  id: string,
  change: ResourceChange<ScimGroupInput>,
): Promise<store.StoredGroup> {
  const { tx, caller, answer } = call;
  const { deployment } = caller;
  const ref = { deployment, id };
  await deployments.lock(tx, deployment);
  const before = await store.findForUpdate(tx, ref);
  if (!before) throw NOT_FOUND();
  answer.expectVersion(before.version);
  const input = inputAfter(change, { before: inputOf(before), attributes: ATTRIBUTES, schema: ScimGroupInput });
  const users = membersOf(input);
  await requireUsers(call, users);
  const team = { deployment, id: before.team_id, name: input.displayName };
  if (input.displayName !== before.display_name && !(await teams.rename(tx, team))) throw taken();
  await store.update(tx, ref, { displayName: input.displayName, externalId: input.externalId ?? undefined });
  await store.setMembers(tx, ref, users);
  await store.syncTeam(tx, ref, before.team_id);
  await settings.recordChange(tx, deployment, `the group ${input.displayName} was changed`);
  answer.recordEffect({ object: `scim-group/${id}`, before: inputOf(before), after: { ...input, members: users } });
  return stored(call, id);
}

/** Deletes a group. Its people leave the team; the team and its projects stay. */
export async function removeGroup(call: GroupCall, id: string): Promise<void> {
  const { tx, caller, answer } = call;
  const { deployment } = caller;
  const ref = { deployment, id };
  await deployments.lock(tx, deployment);
  const before = await store.findForUpdate(tx, ref);
  if (!before) throw NOT_FOUND();
  await store.setMembers(tx, ref, []);
  await store.syncTeam(tx, ref, before.team_id);
  await store.remove(tx, ref);
  await settings.recordChange(tx, deployment, `the group ${before.display_name} was deleted`);
  answer.recordEffect({ object: `scim-group/${id}`, before: inputOf(before) });
}
