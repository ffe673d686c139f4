import { formatNumber } from '#web/foundation/format/format-number.ts';
import type { InboxTabName } from './queries.ts';

export const INBOX_TABS = [
  { tab: 'review', name: 'REVIEW', label: 'To review', what: 'New or reopened findings that you have not looked at.' },
  { tab: 'approvals', name: 'APPROVALS', label: 'Approvals', what: 'Requests to ignore a finding.' },
  { tab: 'expiring', name: 'EXPIRING', label: 'Expiring', what: 'Decisions and tokens that end within 14 days.' },
  { tab: 'failing', name: 'FAILING', label: 'Failing', what: 'Scans that failed, and projects silent for 30 days.' },
] as const satisfies readonly { tab: string; name: InboxTabName; label: string; what: string }[];

export type InboxTab = (typeof INBOX_TABS)[number]['tab'];

/** Above this the server stops counting. */
const MOST_COUNTED = 10_000;

/** How many wait; the server counts no further than it helps. */
export const countText = (count: number): string => (count >= MOST_COUNTED ? '10,000+' : formatNumber(count));

/** The id that many further in a list, without leaving it; from nowhere it is the first. */
export function idAtOffset(ids: readonly string[], from: string | undefined, by: number): string | undefined {
  const index = from === undefined ? -1 : ids.indexOf(from);
  if (index === -1) return ids[0];
  return ids[Math.min(ids.length - 1, Math.max(0, index + by))];
}

/** What to show after an item has left: the one that came after it, else the one before. */
export function nextIdAfterRemoval(ids: readonly string[], gone: string): string | undefined {
  const index = ids.indexOf(gone);
  return ids[index + 1] ?? ids[index - 1];
}

/** "47 of 52 requests for this rule were approved", where there were any beside this one. */
export function approvalHistory(approved: number, askedInAll: number): string {
  const asked = askedInAll - 1;
  if (asked < 1) return 'Nobody has asked about this rule before.';
  const requests = asked === 1 ? 'request' : 'requests';
  return `${approved} of ${asked} other ${requests} for this rule ${approved === 1 ? 'was' : 'were'} approved.`;
}
