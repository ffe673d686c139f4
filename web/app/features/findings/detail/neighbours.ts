/** The previous and next finding in a list, and the position from 1. */
export interface Neighbours {
  before?: string;
  after?: string;
  position: number;
}

/** Whether the next page is needed to know what follows a finding. */
export const needsNextPage = (ids: readonly string[], issueId: string): boolean =>
  !ids.includes(issueId) || ids.at(-1) === issueId;

/** The neighbours of a finding; undefined if it is not in the list. */
export function neighboursOf(ids: readonly string[], issueId: string): Neighbours | undefined {
  const index = ids.indexOf(issueId);
  if (index === -1) return undefined;
  const before = ids[index - 1];
  const after = ids[index + 1];
  return {
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    position: index + 1,
  };
}
