interface Page {
  issues: readonly { issueId: string }[];
}

/** Findings marked as done since the list was loaded; pages requested before that may still contain them. */
const done = new Set<string>();

export const addDone = (issueId: string): void => void done.add(issueId);
export const removeDone = (issueId: string): void => void done.delete(issueId);
/** For a list that is loaded again from its first page. */
export const clearDone = (): void => done.clear();

/** The pages without the findings that are marked as done. */
export const withoutDone = <Kept extends Page, Data extends { pages: Kept[] }>(data: Data): Data => ({
  ...data,
  pages: data.pages.map((page) => ({ ...page, issues: page.issues.filter(({ issueId }) => !done.has(issueId)) })),
});
