import type { z } from 'zod';
import { changed, hasTooManyTags, MOST_TAGS } from '#domain/projects/rules.ts';
import * as settings from '#domain/projects/settings.ts';
import { unknownProjects } from '#domain/teams/members.ts';
import type { Id } from '#kernel/contract/proto.ts';
import type { Call } from '#kernel/http/group.ts';
import { refuse, refuseTooManyTags } from './change.ts';
import { MOST_CHANGED, TOO_MANY_PROJECTS } from './contract.ts';
import { matches } from './filters.ts';
import { changeOf, repeatErrors } from './rules.ts';
import type { RepoChange, RepoFilters, UpdateError } from './shape.ts';
import * as store from './store.ts';

type Scene = Pick<Call, 'tx' | 'caller' | 'answer'>;

export interface Chosen {
  filters: z.output<typeof RepoFilters>;
  excludeIds?: readonly string[] | undefined;
}

export interface Choice {
  ids: Id<'Project'>[];
  errors: UpdateError[];
}

/** The projects that a request is about; ids that it names and that are not there are told one by one. */
export async function choose({ tx, caller }: Scene, { filters, excludeIds = [] }: Chosen): Promise<Choice> {
  const condition = matches(caller, filters);
  const ids = await store.matching(tx, { condition, exclude: excludeIds, most: MOST_CHANGED });
  if (ids.length > MOST_CHANGED) throw TOO_MANY_PROJECTS({ most: MOST_CHANGED });
  const absent = [...(await unknownProjects(tx, caller, filters.ids ?? []))] as Id<'Project'>[];
  const message = 'These repositories do not exist, or you may not see them.';
  return { ids, errors: absent.length === 0 ? [] : [{ code: 'UPDATE_ERROR_CODE_NOT_FOUND', message, ids: absent }] };
}

/** What is told of each repository for which something had to be done on its source-code host. */
export async function refuseUnconnected(scene: Scene, chosen: Chosen): Promise<UpdateError[]> {
  const { ids, errors } = await choose(scene, chosen);
  const message =
    'No source-code host is connected for these repositories: connect one, or set the scanner up by hand.';
  return ids.length === 0 ? errors : [...errors, { code: 'UPDATE_ERROR_CODE_CONFLICT', message, ids }];
}

/** Changes all that match in the same way; those that cannot be changed stay as they are. */
export async function changeMatching(scene: Scene, chosen: Chosen, wanted: RepoChange): Promise<Choice> {
  const { tx, caller, answer } = scene;
  const { ids, errors } = await choose(scene, chosen);
  const change = changeOf(wanted);
  const before = await settings.hold(tx, caller.deployment, ids);
  const pairs = before.map((project) => ({ project, after: { ...changed(project, change), id: project.id } }));
  const isPossible = ({ project, after }: (typeof pairs)[number]) => !hasTooManyTags(project, after);
  const possible = pairs.filter(isPossible).map(({ after }) => after);
  await settings.write(tx, caller.deployment, possible);
  const updated = possible.map(({ id }) => id as Id<'Project'>);
  answer.changed({ object: `project/${updated.join(',')}`, before, after: possible });
  const over = pairs.filter((pair) => !isPossible(pair)).map(({ project }) => project.id as Id<'Project'>);
  const message = `A repository can have at most ${MOST_TAGS} tags.`;
  if (over.length > 0) errors.push({ code: 'UPDATE_ERROR_CODE_CONFLICT', message, ids: over });
  return { ids: updated, errors };
}

/** Changes each repository in its own way, all of them or none; gives back their names in the order of the request. */
export async function changeEach(
  { tx, caller, answer }: Scene,
  changes: readonly { repoId: string; change: RepoChange }[],
): Promise<string[]> {
  const ids = changes.map(({ repoId }) => repoId);
  const unknown = await unknownProjects(tx, caller, ids);
  refuse([
    ...repeatErrors(ids, '#/changes'),
    ...ids.flatMap((id, index) =>
      unknown.has(id)
        ? [{ pointer: `#/changes/${index}/repoId`, code: 'UNKNOWN_REFERENCE', detail: `repository ${id} is not known` }]
        : [],
    ),
  ]);
  const held = new Map((await settings.hold(tx, caller.deployment, ids)).map((project) => [project.id, project]));
  const after = changes.flatMap(({ repoId, change }) => {
    const before = held.get(repoId);
    if (!before) return [];
    const wanted = { ...changed(before, changeOf(change)), id: repoId };
    refuseTooManyTags(before, wanted);
    return [wanted];
  });
  await settings.write(tx, caller.deployment, after);
  answer.changed({ object: `project/${ids.join(',')}`, before: [...held.values()], after });
  return after.map(({ name }) => name);
}
