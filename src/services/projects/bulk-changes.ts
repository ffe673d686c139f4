import type { z } from 'zod';
import { applySettingsChange, hasTooManyTags, MAX_TAGS_PER_PROJECT } from '#domain/projects/rules.ts';
import * as settings from '#domain/projects/settings.ts';
import { findUnknownProjects } from '#domain/teams/members.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { refuseProjectChange, refuseTooManyTags } from './change-project.ts';
import { MAX_CHANGED_PROJECTS, TOO_MANY_PROJECTS } from './contract.ts';
import { repoCondition } from './filter-conditions.ts';
import { duplicateErrors, projectChangeOf } from './rules.ts';
import type { RepoChange, RepoFilters, RepoUpdateError } from './shape.ts';
import * as store from './store.ts';

type ProjectCall = Pick<Call, 'tx' | 'caller' | 'answer'>;

export interface ProjectSelection {
  filters: z.output<typeof RepoFilters>;
  excludeIds?: readonly string[] | undefined;
}

export interface SelectedProjects {
  ids: Id<'Project'>[];
  errors: RepoUpdateError[];
}

/** The projects that a request selects. Unknown ids become errors. */
export async function selectProjects(
  { tx, caller }: ProjectCall,
  { filters, excludeIds = [] }: ProjectSelection,
): Promise<SelectedProjects> {
  const condition = repoCondition(caller, filters);
  const ids = await store.listMatchingIds(tx, { condition, exclude: excludeIds, maxIds: MAX_CHANGED_PROJECTS });
  if (ids.length > MAX_CHANGED_PROJECTS) throw TOO_MANY_PROJECTS({ most: MAX_CHANGED_PROJECTS });
  const unknown = [...(await findUnknownProjects(tx, caller, filters.ids ?? []))] as Id<'Project'>[];
  const message = 'These repositories do not exist, or you may not see them.';
  return { ids, errors: unknown.length === 0 ? [] : [{ code: 'UPDATE_ERROR_CODE_NOT_FOUND', message, ids: unknown }] };
}

/** Errors for repositories that would need a connected source-code host. */
export async function unconnectedErrors(call: ProjectCall, selection: ProjectSelection): Promise<RepoUpdateError[]> {
  const { ids, errors } = await selectProjects(call, selection);
  const message =
    'No source-code host is connected for these repositories: connect one, or set the scanner up by hand.';
  return ids.length === 0 ? errors : [...errors, { code: 'UPDATE_ERROR_CODE_CONFLICT', message, ids }];
}

/** Applies one change to all matching repositories; those that cannot be changed are skipped. */
export async function changeMatching(
  call: ProjectCall,
  selection: ProjectSelection,
  requested: RepoChange,
): Promise<SelectedProjects> {
  const { tx, caller, answer } = call;
  const { ids, errors } = await selectProjects(call, selection);
  const change = projectChangeOf(requested);
  const before = await settings.lockProjects(tx, caller.deployment, ids);
  const pairs = before.map((project) => ({
    project,
    after: { ...applySettingsChange(project, change), id: project.id },
  }));
  const isPossible = ({ project, after }: (typeof pairs)[number]) => !hasTooManyTags(project, after);
  const possible = pairs.filter(isPossible).map(({ after }) => after);
  await settings.updateSettings(tx, caller.deployment, possible);
  const updated = possible.map(({ id }) => id as Id<'Project'>);
  answer.recordEffect({ object: `project/${updated.join(',')}`, before, after: possible });
  const overQuota = pairs.filter((pair) => !isPossible(pair)).map(({ project }) => project.id as Id<'Project'>);
  const message = `A repository can have at most ${MAX_TAGS_PER_PROJECT} tags.`;
  if (overQuota.length > 0) errors.push({ code: 'UPDATE_ERROR_CODE_CONFLICT', message, ids: overQuota });
  return { ids: updated, errors };
}

/** Applies an individual change to each repository, all or none. Returns the names in the order of the request. */
export async function changeEach(
  { tx, caller, answer }: ProjectCall,
  changes: readonly { repoId: string; change: RepoChange }[],
): Promise<string[]> {
  const ids = changes.map(({ repoId }) => repoId);
  const unknown = await findUnknownProjects(tx, caller, ids);
  refuseProjectChange([
    ...duplicateErrors(ids, '#/changes'),
    ...ids.flatMap((id, index) =>
      unknown.has(id)
        ? [{ pointer: `#/changes/${index}/repoId`, code: 'UNKNOWN_REFERENCE', detail: `repository ${id} is not known` }]
        : [],
    ),
  ]);
  const locked = new Map(
    (await settings.lockProjects(tx, caller.deployment, ids)).map((project) => [project.id, project]),
  );
  const after = changes.flatMap(({ repoId, change }) => {
    const before = locked.get(repoId);
    if (!before) return [];
    const changed = { ...applySettingsChange(before, projectChangeOf(change)), id: repoId };
    refuseTooManyTags(before, changed);
    return [changed];
  });
  await settings.updateSettings(tx, caller.deployment, after);
  answer.recordEffect({ object: `project/${ids.join(',')}`, before: [...locked.values()], after });
  return after.map(({ name }) => name);
}
