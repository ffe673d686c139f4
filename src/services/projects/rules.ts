import type { ProjectSettingsChange, TagsChange } from '#domain/projects/rules.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import type { RepoChange, RepoScope } from './shape.ts';

const SCOPES: readonly [permission: string, scope: RepoScope][] = [
  ['issue:read', 'REPO_SCOPE_READ_FINDING'],
  ['issue:triage', 'REPO_SCOPE_TRIAGE_FINDING'],
  ['project:manage', 'REPO_SCOPE_MANAGE_PROJECT_SETTINGS'],
  ['project:manage', 'REPO_SCOPE_AUTOINSTALL'],
  ['project:manage', 'REPO_SCOPE_DELETE_PROJECT'],
  ['team:manage', 'REPO_SCOPE_ASSIGN_TEAM'],
];

/** The scopes that these permissions give on a visible repository. */
export const scopesOf = (permissions: ReadonlySet<string>): RepoScope[] =>
  SCOPES.filter(([permission]) => permissions.has(permission)).map(([, scope]) => scope);

/** Maps a bulk change to a project change. Tags apply only with `updateTags`. */
export const projectChangeOf = ({
  updateTags,
  tags = [],
  managedScans,
  aiScans,
}: RepoChange): ProjectSettingsChange => ({
  tags: updateTags === true ? [{ operation: 'SET_TAGS', tags }] : undefined,
  hasDiffScan: managedScans?.diffScan,
  hasFullScan: managedScans?.fullScan,
  hasAiFullScan: aiScans?.fullScan,
});

/** SET_TAGS cannot be combined with other tag changes. */
export function tagsErrors(changes: readonly TagsChange[], pointer: string): FieldError[] {
  const isAlone = changes.length <= 1 || changes.every(({ operation }) => operation !== 'SET_TAGS');
  return isAlone ? [] : [{ pointer, code: 'SET_TAGS_ALONE', detail: 'SET_TAGS must be the only change of tags' }];
}

/** A repository may appear only once in a request. */
export function duplicateErrors(ids: readonly string[], pointer: string): FieldError[] {
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [{ pointer: `${pointer}/${index}/repoId`, code: 'CONTRADICTION', detail: `repository ${id} is listed twice` }],
  );
}
