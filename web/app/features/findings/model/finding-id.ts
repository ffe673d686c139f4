import type { ParamReader } from '#web/foundation/url/search-params.ts';

/**
 * Findings of scanners and workflow issues are numbered separately: in URLs and lists the former have their plain id,
 * and the latter the prefix `WF-`.
 */
export const workflowFindingId = (issueId: string): string => `WF-${issueId}`;

export const isWorkflowFindingId = (id: string): boolean => /^WF-/i.test(id);

/** The id of the workflow issue in the API. */
export const workflowIssueIdOf = (id: string): string => id.replace(/^WF-/i, '');

/** Reads an id with or without its prefix, in any case. */
export const findingId: ParamReader<string> = (given) => {
  const [, prefix = '', number] = /^(ISS-|WF-)?(\d{1,19})$/i.exec(String(given)) ?? [];
  if (number === undefined) return undefined;
  return isWorkflowFindingId(prefix) ? workflowFindingId(number) : number;
};

/** `ISS-4821` or `WF-12`. */
export const idLabel = (id: string): string => (isWorkflowFindingId(id) ? id : `ISS-${id}`);
