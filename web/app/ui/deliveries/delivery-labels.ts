import { ACTION_TYPES } from '../automations/automation-types.ts';
import type { DeliveryStateName, ListedDelivery } from './delivery-queries.ts';

export const DELIVERY_STATE_LABELS: Record<DeliveryStateName, string> = {
  waiting: 'Waiting',
  held: 'Held',
  sent: 'Sent',
  failed: 'Failed',
  cancelled: 'Cancelled',
  skipped: 'Skipped',
  would: 'Would send',
};

const KIND_LABELS: Record<string, string> = {
  scan: 'completed scan',
  test: 'test',
  triage: 'triage',
};

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** What a delivery contains: `3 findings`, `ticket for 2 findings`. */
export function contentLabel({ kind, findingCount }: Pick<ListedDelivery, 'kind' | 'findingCount'>): string {
  if (kind === 'ticket') return `ticket for ${counted(findingCount, 'finding')}`;
  if (kind === 'digest') return `digest of ${counted(findingCount, 'finding')}`;
  const label = KIND_LABELS[kind];
  if (label === undefined) return counted(findingCount, 'finding');
  return findingCount === 0 ? label : `${label} of ${counted(findingCount, 'finding')}`;
}

/** Where it goes: the name of the destination, or what was to be done. */
export function targetLabel({
  destinationName,
  actionType,
}: {
  destinationName: string;
  actionType?: string | undefined;
}): string {
  if (destinationName !== '') return destinationName;
  return (actionType && ACTION_TYPES[actionType]?.label) || 'a deleted destination';
}

export const isReplayable = ({ state, destinationId, kind }: ListedDelivery): boolean =>
  (state === 'sent' || state === 'failed') && destinationId !== undefined && kind !== 'test';
