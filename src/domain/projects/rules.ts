import type { ScmType } from './shape.ts';

export const MAX_TAGS_PER_PROJECT = 10;
/** The tag of projects with managed scans. */
export const MANAGED_TAG = 'managed-scan';
/** The prefix that scanners use for a project name if they do not know the repository. */
export const LOCAL_SCAN_PREFIX = 'local_scan/';

/** The hosts whose name identifies the SCM. */
export const SCM_HOSTS: Readonly<Partial<Record<string, ScmType>>> = {
  'github.com': 'SCM_TYPE_GITHUB',
  'gitlab.com': 'SCM_TYPE_GITLAB',
  'bitbucket.org': 'SCM_TYPE_BITBUCKET',
  'dev.azure.com': 'SCM_TYPE_AZURE_DEVOPS',
};

/** The host in a URL, parsed in the same way as in the SQL filter of the project list, so that both agree. */
function hostOf(url: string): string {
  const [, rest = ''] = url.replace(/[?#\\]/g, '/').split('://');
  const [authority = ''] = rest.split('/');
  const [host = ''] = (authority.split('@').at(-1) ?? '').split(':');
  return host.toLowerCase().replace(/^www\./, '');
}

/** The SCM of a project, as far as its URL tells. */
export function scmTypeOf(url: string): ScmType {
  const host = hostOf(url);
  return (Object.hasOwn(SCM_HOSTS, host) ? SCM_HOSTS[host] : undefined) ?? 'SCM_TYPE_UNKNOWN';
}

export interface TagsChange {
  operation: 'ADD_TAGS' | 'REMOVE_TAGS' | 'SET_TAGS';
  tags: readonly string[];
}

/** The settings of a project that can be changed. */
export interface ProjectSettings {
  name: string;
  tags: string[];
  /** Absent if the project uses its default branch. */
  primaryBranch?: string | undefined;
  hasDiffScan: boolean;
  hasFullScan: boolean;
  hasAiFullScan: boolean;
}

export interface ProjectSettingsChange {
  name?: string | undefined;
  tags?: readonly TagsChange[] | undefined;
  /** Null resets it to the default branch. */
  primaryBranch?: string | null | undefined;
  hasDiffScan?: boolean | undefined;
  hasFullScan?: boolean | undefined;
  hasAiFullScan?: boolean | undefined;
}

/** The tags after these changes in sequence, sorted and without duplicates. */
export function tagsAfter(before: readonly string[], changes: readonly TagsChange[]): string[] {
  let tags = new Set(before);
  for (const { operation, tags: named } of changes) {
    const trimmed = named.map((tag) => tag.trim());
    if (operation === 'SET_TAGS') tags = new Set(trimmed);
    for (const tag of trimmed)
      if (operation === 'REMOVE_TAGS') tags.delete(tag);
      else tags.add(tag);
  }
  return [...tags].sort();
}

export const isManaged = ({
  hasDiffScan,
  hasFullScan,
}: Pick<ProjectSettings, 'hasDiffScan' | 'hasFullScan'>): boolean => hasDiffScan || hasFullScan;

/** Adds the tag when managed scans are enabled and removes it when they are disabled; users may change it meanwhile. */
function managedTagChange(before: ProjectSettings, after: ProjectSettings): TagsChange[] {
  if (isManaged(before) === isManaged(after)) return [];
  return [{ operation: isManaged(after) ? 'ADD_TAGS' : 'REMOVE_TAGS', tags: [MANAGED_TAG] }];
}

/** The settings after a change; absent members are unchanged. */
export function applySettingsChange(before: ProjectSettings, change: ProjectSettingsChange): ProjectSettings {
  const after: ProjectSettings = {
    name: change.name?.trim() ?? before.name,
    tags: before.tags,
    primaryBranch: change.primaryBranch === undefined ? before.primaryBranch : (change.primaryBranch ?? undefined),
    hasDiffScan: change.hasDiffScan ?? before.hasDiffScan,
    hasFullScan: change.hasFullScan ?? before.hasFullScan,
    hasAiFullScan: change.hasAiFullScan ?? before.hasAiFullScan,
  };
  after.tags = tagsAfter(before.tags, [...(change.tags ?? []), ...managedTagChange(before, after)]);
  return after;
}

/** A project may keep more tags than the maximum, but gets no further ones. */
export const hasTooManyTags = (before: ProjectSettings, after: ProjectSettings): boolean =>
  after.tags.length > MAX_TAGS_PER_PROJECT && after.tags.length > before.tags.length;
