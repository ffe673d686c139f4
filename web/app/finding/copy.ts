import { copy } from '#web/parts/copy.ts';
import { fixPrompt } from './fix-prompt.ts';
import type { Issue } from './queries.ts';

export const copyFixPrompt = (issue: Issue): Promise<void> => copy(fixPrompt(issue), 'Fix prompt');

/** The address of the finding's own page. */
export const pageUrl = (slug: string, issueId: string): string =>
  `${location.origin}/o/${encodeURIComponent(slug)}/findings/${issueId}`;
