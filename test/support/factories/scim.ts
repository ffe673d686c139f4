import * as groups from '#services/scim/group-store.ts';
import * as users from '#services/scim/user-store.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName } from '../world/world.ts';
import { makeTeam } from './projects.ts';

/** A provisioned person who is not a member yet, by id. */
export async function makeScimUser({ world, place }: Scenario, userName = uniqueName('scim')): Promise<string> {
  const draft = { userName, externalId: undefined, email: `${userName}@example.com`, isActive: true };
  const made = await world.inDeployment(place, (tx) =>
    users.insert(tx, place.id, { ...draft, data: { active: true, displayName: userName } }),
  );
  return made.id;
}

/** A provisioned group with a team, by id. */
export async function makeScimGroup(scene: Scenario): Promise<string> {
  const { world, place } = scene;
  const team = await makeTeam(scene);
  return world.inDeployment(place, (tx) =>
    groups.insert(tx, place.id, { displayName: uniqueName('Group '), externalId: undefined, team }),
  );
}
