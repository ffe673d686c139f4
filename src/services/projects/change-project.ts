import { lockProject } from '#domain/findings/ingest/ingest.ts';
import { recomputeProjectFindings } from '#domain/findings/tracking/recompute-project.ts';
import {
  applySettingsChange,
  hasTooManyTags,
  MAX_TAGS_PER_PROJECT,
  type ProjectSettings,
  type ProjectSettingsChange,
} from '#domain/projects/rules.ts';
import * as settings from '#domain/projects/settings.ts';
import { parseRef } from '#domain/scans/refs.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { PROJECT_CHANGE_REFUSED, PROJECT_NAME_TAKEN, TAG_QUOTA } from './contract.ts';

type ProjectCall = Pick<Call, 'tx' | 'caller' | 'answer' | 'now'>;

const MAX_LISTED_ERRORS = 50;

export const refuseProjectChange = (errors: readonly FieldError[]): void =>
  refuseFieldErrors(PROJECT_CHANGE_REFUSED, errors, MAX_LISTED_ERRORS);

/** Parses a branch: null for `None`, which means the default branch; undefined if absent. */
export function parseBranch(text: string | undefined, pointer: string): string | null | undefined {
  if (text === undefined) return undefined;
  if (text.trim() === 'None') return null;
  const { name, kind } = parseRef(text);
  if (kind !== 'branch' || name === '')
    refuseProjectChange([
      { pointer, code: 'NOT_A_BRANCH', detail: 'must be a branch, such as refs/heads/main, or None' },
    ]);
  return name;
}

export const refuseTooManyTags = (before: ProjectSettings, after: ProjectSettings): void => {
  if (hasTooManyTags(before, after))
    throw TAG_QUOTA({ most: MAX_TAGS_PER_PROJECT, name: before.name, count: after.tags.length });
};

/** Changes one project atomically. */
export async function changeProject(
  { tx, caller, answer, now }: ProjectCall,
  id: string,
  change: ProjectSettingsChange,
): Promise<void> {
  const { deployment } = caller;
  // Scans take this lock before they write to the project row: the opposite order would deadlock.
  if (change.primaryBranch !== undefined) await lockProject(tx, { deployment, project: id });
  const [before] = await settings.lockProjects(tx, deployment, [id]);
  if (!before) throw NOT_FOUND();
  const after = { ...applySettingsChange(before, change), id };
  refuseTooManyTags(before, after);
  if ((await settings.updateSettings(tx, deployment, [after])) === 'taken')
    throw PROJECT_NAME_TAKEN({ name: after.name });
  if (before.primaryBranch !== after.primaryBranch)
    await recomputeProjectFindings(tx, { deployment, project: id, at: now });
  answer.recordEffect({ object: `project/${id}`, before, after });
}

/** Deletes a project with all that belongs to it. */
export async function removeProject({ tx, caller, answer }: ProjectCall, id: string): Promise<string> {
  const { deployment } = caller;
  await lockProject(tx, { deployment, project: id });
  const [before] = await settings.lockProjects(tx, deployment, [id]);
  if (!before || (await settings.remove(tx, deployment, id)) === 0) throw NOT_FOUND();
  answer.recordEffect({ object: `project/${id}`, before });
  return before.name;
}
