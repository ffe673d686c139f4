import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { LoadMore } from '../page/load-more.tsx';
import { EmptyState, LoadingRows, ProblemView } from '../page/view-states.tsx';
import { DELIVERY_STATE_LABELS } from './delivery-labels.ts';
import { type DeliveryListFilter, deliveriesQuery, type ListedDelivery } from './delivery-queries.ts';
import { DELIVERY_STATES } from './delivery-state-names.ts';
import { DeliveryTable } from './delivery-table.tsx';
import './deliveries.css';

const PERIODS = [
  { value: '', label: 'All (90 days)' },
  { value: '7', label: 'Last 7 days' },
];

interface DeliveryLogProps {
  filter: DeliveryListFilter;
  /** Why there may be none, and what to do. */
  empty: { title: string; why: string };
  onOpen: (deliveryId: string) => void;
  /** Absent if the list has one state only. */
  onFilter?: (filter: Pick<DeliveryListFilter, 'state' | 'days'>) => void;
  /** Actions for all deliveries that are shown. */
  actions?: (shown: readonly ListedDelivery[]) => ReactNode;
}

/** A list of deliveries with a filter by state. */
export function DeliveryLog({ filter, empty, onOpen, onFilter, actions }: DeliveryLogProps) {
  const org = useOrg();
  const list = useInfiniteQuery(deliveriesQuery(org.id, filter));
  const shown = list.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const { state, days } = filter;
  const isFiltered = onFilter !== undefined && (state !== undefined || days !== undefined);
  return (
    <div className="delivery-log">
      <div className="delivery-tools">
        {onFilter && (
          <>
            <NativeSelect
              label="State"
              value={state ?? ''}
              data={[
                { value: '', label: 'All' },
                ...DELIVERY_STATES.map((value) => ({ value, label: DELIVERY_STATE_LABELS[value] })),
              ]}
              onChange={({ currentTarget: { value } }) =>
                onFilter({ days, state: DELIVERY_STATES.find((name) => name === value) })
              }
            />
            <NativeSelect
              label="Period"
              value={days === undefined ? '' : String(days)}
              data={PERIODS}
              onChange={({ currentTarget: { value } }) =>
                onFilter({ state, days: value === '' ? undefined : Number(value) })
              }
            />
          </>
        )}
        {shown.length > 0 && actions?.(shown)}
      </div>
      {list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />}
      {!list.data && !list.error && <LoadingRows rows={5} />}
      {list.data && shown.length === 0 && (
        <EmptyState
          title={isFiltered ? 'No delivery matches' : empty.title}
          why={isFiltered ? 'Choose another state or period to see more.' : empty.why}
        />
      )}
      {shown.length > 0 && <DeliveryTable label="Deliveries" deliveries={shown} onOpen={onOpen} />}
      <LoadMore {...list} />
    </div>
  );
}
