/** The API's value for a primary branch that follows the default branch. */
export const FOLLOW_DEFAULT_BRANCH = 'None';

interface CurrentProject {
  name: string;
  primaryRef?: { ref: string; isOverride: boolean } | null | undefined;
  tags: readonly string[];
}

interface ProjectForm {
  name: string;
  branch: string;
  /** Separated by commas. */
  tags: string;
}

interface ProjectChanges {
  name?: string;
  primaryBranch?: string;
  tagsChanges?: { operation: 'SET_TAGS'; tags: string[] }[];
}

export const primaryBranchOf = ({ primaryRef }: CurrentProject): string =>
  primaryRef?.isOverride ? primaryRef.ref : FOLLOW_DEFAULT_BRANCH;

const tagsIn = (text: string) => [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');

/** Only the changed fields, so that concurrent changes of other fields are kept. */
export function projectChangesOf(before: CurrentProject, { name, branch, tags }: ProjectForm): ProjectChanges {
  const newTags = tagsIn(tags);
  return {
    ...(name.trim() === before.name ? {} : { name: name.trim() }),
    ...(branch === primaryBranchOf(before) ? {} : { primaryBranch: branch }),
    ...(newTags.join() === before.tags.join() ? {} : { tagsChanges: [{ operation: 'SET_TAGS', tags: newTags }] }),
  };
}
