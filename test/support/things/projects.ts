import * as projects from '#domain/projects/store.ts';
import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import type { Scene } from '../scene.ts';
import { fresh } from '../world.ts';

export function makeTeam({ world, place, viewers = [] }: Scene): Promise<string> {
  return world.in(place, async (tx) => {
    const team = (await teams.insert(tx, { deployment: place.id, name: fresh('Team '), parent: undefined })) ?? '';
    const seats = viewers.map(({ id }) => ({ account: id, role: 'TEAM_ROLE_MEMBER' }));
    await members.seat(tx, { deployment: place.id, team }, seats);
    return team;
  });
}

/** A project that was scanned, in a team of the viewers where there are any. */
export async function makeProject(scene: Scene, name = fresh('acme/repo')): Promise<string> {
  const { world, place, viewers = [] } = scene;
  const project = await world.project(place, name);
  await world.look('update project set latest_scan_at = now() where id = $1', [project]);
  if (viewers.length === 0) return project;
  const team = await makeTeam(scene);
  await world.in(place, (tx) => members.assign(tx, { deployment: place.id, team }, [project]));
  return project;
}

export async function makeProjectName(scene: Scene): Promise<string> {
  const name = fresh('acme/Repo');
  await makeProject(scene, name);
  return name;
}

export async function makeTag({ world, place }: Scene): Promise<string> {
  const tag = fresh('tag:');
  const project = { deployment: place.id, id: await world.project(place) };
  await world.in(place, (tx) => projects.tag(tx, project, [tag]));
  return tag;
}
