/** What stands before and after a finding in its list, and where it stands. */
export interface Neighbours {
  before?: string;
  after?: string;
  position: number;
}

/** Whether a list has to be read further to know who stands after a finding. */
export const needsNextPage = (ids: readonly string[], issueId: string): boolean =>
  !ids.includes(issueId) || ids.at(-1) === issueId;

/** Where a finding is among the ids of a list; undefined if it is not among them. */
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
