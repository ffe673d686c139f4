import { copyAndNotify } from '#web/ui/clipboard/clipboard.ts';
import type { Issue } from '../model/queries.ts';
import { fixPrompt } from './fix-prompt.ts';

export const copyFixPrompt = (issue: Issue): Promise<void> => copyAndNotify(fixPrompt(issue), 'Fix prompt');

/** The URL of the finding's page. */
export const pageUrl = (slug: string, issueId: string): string =>
  `${location.origin}/o/${encodeURIComponent(slug)}/findings/${issueId}`;
