import type { DeliveryStateName } from './delivery-queries.ts';

/** In the order of menus. Apart from the labels, so that the router needs nothing else. */
export const DELIVERY_STATES = [
  'waiting',
  'held',
  'sent',
  'failed',
  'cancelled',
  'skipped',
  'would',
] as const satisfies readonly DeliveryStateName[];
