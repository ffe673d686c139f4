import type { Reader } from '#web/url/search.ts';

/**
 * What scanners and what workflows found have numbers of their own: in addresses and lists the former stand as they
 * are, and the latter as `WF-12`.
 */
export const workflowLineId = (issueId: string): string => `WF-${issueId}`;

export const isWorkflowLine = (id: string): boolean => /^WF-/i.test(id);

/** The id that the API knows. */
export const workflowIdOf = (id: string): string => id.replace(/^WF-/i, '');

/** Reads the id of either kind, as people write it. */
export const lineId: Reader<string> = (given) => {
  const [, prefix = '', number] = /^(ISS-|WF-)?(\d{1,19})$/i.exec(String(given)) ?? [];
  if (number === undefined) return undefined;
  return isWorkflowLine(prefix) ? workflowLineId(number) : number;
};

/** `ISS-4821` or `WF-12`. */
export const idLabel = (id: string): string => (isWorkflowLine(id) ? id : `ISS-${id}`);
