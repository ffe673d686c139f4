interface Page {
  issues: readonly { issueId: string }[];
}

/** What somebody was done with since the list was asked for: a page that was on its way may still hold it. */
const done = new Set<string>();

export const addDone = (issueId: string): void => void done.add(issueId);
export const removeDone = (issueId: string): void => void done.delete(issueId);
/** A list that is asked for from its beginning knows all of it. */
export const clearDone = (): void => done.clear();

/** The pages of a list without what somebody is done with. */
export const withoutDone = <Kept extends Page, Data extends { pages: Kept[] }>(data: Data): Data => ({
  ...data,
  pages: data.pages.map((page) => ({ ...page, issues: page.issues.filter(({ issueId }) => !done.has(issueId)) })),
});
