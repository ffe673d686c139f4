import { formatNumber } from '#web/foundation/format/format-number.ts';
import type { InboxTabName } from './queries.ts';

export const INBOX_TABS = [
  {
    tab: 'review',
    name: 'REVIEW',
    label: 'To review',
    description: 'New or reopened findings that you have not reviewed.',
  },
  {
    tab: 'assigned',
    name: 'ASSIGNED',
    label: 'Assigned to me',
    description: 'Findings that are assigned to you and not fixed or ignored.',
  },
  { tab: 'approvals', name: 'APPROVALS', label: 'Approvals', description: 'Requests to ignore a finding.' },
  {
    tab: 'expiring',
    name: 'EXPIRING',
    label: 'Expiring',
    description: 'Decisions and tokens that expire within 14 days.',
  },
  {
    tab: 'failing',
    name: 'FAILING',
    label: 'Failing',
    description: 'Failed scans, and projects without a scan for 30 days.',
  },
  {
    tab: 'notices',
    name: 'NOTICES',
    label: 'Notifications',
    description: 'Where you were mentioned, and what the server has to say.',
  },
] as const satisfies readonly { tab: string; name: InboxTabName; label: string; description: string }[];

export type InboxTab = (typeof INBOX_TABS)[number]['tab'];

/** The server does not count further. */
const MAX_COUNT = 10_000;

/** The count of a tab, "10,000+" at the server's limit. */
export const countText = (count: number): string => (count >= MAX_COUNT ? '10,000+' : formatNumber(count));

/** The id at an offset, limited to the ends of the list; the first one if there is no current id. */
export function idAtOffset(ids: readonly string[], from: string | undefined, offset: number): string | undefined {
  const index = from === undefined ? -1 : ids.indexOf(from);
  if (index === -1) return ids[0];
  return ids[Math.min(ids.length - 1, Math.max(0, index + offset))];
}

/** The id to show after one is removed: the next one, else the previous one. */
export function nextIdAfterRemoval(ids: readonly string[], removed: string): string | undefined {
  const index = ids.indexOf(removed);
  return ids[index + 1] ?? ids[index - 1];
}

/** "47 of 52 other requests for this rule were approved." */
export function approvalHistory(approved: number, totalRequests: number): string {
  const otherRequests = totalRequests - 1;
  if (otherRequests < 1) return 'There were no earlier requests for this rule.';
  const requests = otherRequests === 1 ? 'request' : 'requests';
  return `${approved} of ${otherRequests} other ${requests} for this rule ${approved === 1 ? 'was' : 'were'} approved.`;
}
