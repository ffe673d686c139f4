/** What the API calls the primary branch that follows the default one. */
export const FOLLOW_DEFAULT_BRANCH = 'None';

interface Before {
  name: string;
  primaryRef?: { ref: string; isOverride: boolean } | null | undefined;
  tags: readonly string[];
}

interface Typed {
  name: string;
  branch: string;
  /** With commas between them. */
  tags: string;
}

interface Change {
  name?: string;
  primaryBranch?: string;
  tagsChanges?: { operation: 'SET_TAGS'; tags: string[] }[];
}

export const primaryBranchOf = ({ primaryRef }: Before): string =>
  primaryRef?.isOverride ? primaryRef.ref : FOLLOW_DEFAULT_BRANCH;

const tagsIn = (text: string) => [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');

/** Only what somebody changed in the form, so that what others changed meanwhile stays. */
export function projectChangesOf(before: Before, { name, branch, tags }: Typed): Change {
  const wanted = tagsIn(tags);
  return {
    ...(name.trim() === before.name ? {} : { name: name.trim() }),
    ...(branch === primaryBranchOf(before) ? {} : { primaryBranch: branch }),
    ...(wanted.join() === before.tags.join() ? {} : { tagsChanges: [{ operation: 'SET_TAGS', tags: wanted }] }),
  };
}
