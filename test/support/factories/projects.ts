import * as projects from '#domain/projects/store.ts';
import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName } from '../world/world.ts';

export function makeTeam({ world, place, viewers = [] }: Scenario): Promise<string> {
  return world.inDeployment(place, async (tx) => {
    const team = (await teams.insert(tx, { deployment: place.id, name: uniqueName('Team '), parent: undefined })) ?? '';
    const memberships = viewers.map(({ id }) => ({ account: id, role: 'TEAM_ROLE_MEMBER' }));
    await members.addMembers(tx, { deployment: place.id, team }, memberships);
    return team;
  });
}

/** A scanned project, in a team of the viewers if there are any. */
export async function makeProject(scene: Scenario, name = uniqueName('acme/repo')): Promise<string> {
  const { world, place, viewers = [] } = scene;
  const project = await world.project(place, name);
  await world.queryAsOwner('update project set latest_scan_at = now() where id = $1', [project]);
  if (viewers.length === 0) return project;
  const team = await makeTeam(scene);
  await world.inDeployment(place, (tx) => members.addProjects(tx, { deployment: place.id, team }, [project]));
  return project;
}

export async function makeProjectName(scene: Scenario): Promise<string> {
  const name = uniqueName('acme/Repo');
  await makeProject(scene, name);
  return name;
}

export async function makeTag(scene: Scenario): Promise<string> {
  const { world, place } = scene;
  const tag = uniqueName('tag:');
  const project = { deployment: place.id, id: await makeProject(scene) };
  await world.inDeployment(place, (tx) => projects.addTags(tx, project, [tag]));
  return tag;
}
