import type { ParamReader } from '#web/foundation/url/search-params.ts';

/**
 * What scanners and what workflows found have numbers of their own: in addresses and lists the former stand as they
 * are, and the latter as `WF-12`.
 */
export const workflowFindingId = (issueId: string): string => `WF-${issueId}`;

export const isWorkflowFindingId = (id: string): boolean => /^WF-/i.test(id);

/** The id that the API knows. */
export const workflowIssueIdOf = (id: string): string => id.replace(/^WF-/i, '');

/** Reads the id of either kind, as people write it. */
export const findingId: ParamReader<string> = (given) => {
  const [, prefix = '', number] = /^(ISS-|WF-)?(\d{1,19})$/i.exec(String(given)) ?? [];
  if (number === undefined) return undefined;
  return isWorkflowFindingId(prefix) ? workflowFindingId(number) : number;
};

/** `ISS-4821` or `WF-12`. */
export const idLabel = (id: string): string => (isWorkflowFindingId(id) ? id : `ISS-${id}`);
