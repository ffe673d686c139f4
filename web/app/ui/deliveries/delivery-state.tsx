import { Ban, Check, CircleDashed, CircleX, Clock, Eye, Pause } from 'lucide-react';
import { DELIVERY_STATE_LABELS } from './delivery-labels.ts';
import type { DeliveryStateName } from './delivery-queries.ts';
import './deliveries.css';

const ICONS = {
  waiting: Clock,
  held: Pause,
  sent: Check,
  failed: CircleX,
  cancelled: Ban,
  skipped: CircleDashed,
  would: Eye,
} as const;

/** The state of a delivery, as an icon and a word. */
export function DeliveryState({ state }: { state: DeliveryStateName }) {
  const Icon = ICONS[state];
  return (
    <span className="delivery-state" data-state={state}>
      <Icon size={16} aria-hidden="true" />
      {DELIVERY_STATE_LABELS[state]}
    </span>
  );
}
