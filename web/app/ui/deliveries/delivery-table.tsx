import { ActionIcon, Tooltip } from '@mantine/core';
import { Check, List, RotateCcw, X } from 'lucide-react';
import { DataTable, type TableColumn } from '../table/data-table.tsx';
import { RowAction } from '../table/row-action.tsx';
import { RelativeTime } from '../text/relative-time.tsx';
import { contentLabel, isReplayable, targetLabel } from './delivery-labels.ts';
import type { ListedDelivery } from './delivery-queries.ts';
import { DeliveryState } from './delivery-state.tsx';
import { type DeliveryChange, useDeliveryChanges } from './use-delivery-changes.ts';

interface DeliveryTableProps {
  label: string;
  deliveries: readonly ListedDelivery[];
  onOpen: (deliveryId: string) => void;
}

/** Deliveries, newest first, with what can be done about each. */
export function DeliveryTable({ label, deliveries, onOpen }: DeliveryTableProps) {
  const change = useDeliveryChanges();
  const run = (name: DeliveryChange, { id }: ListedDelivery) => change.mutate({ change: name, ids: [id] });
  const columns: TableColumn<ListedDelivery>[] = [
    { name: 'Made', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { name: 'To', cell: targetLabel },
    { name: 'Content', cell: contentLabel },
    { name: 'State', cell: (delivery) => <StateCell delivery={delivery} /> },
    {
      name: 'Actions',
      isActions: true,
      cell: (delivery) => (
        <>
          {delivery.state === 'held' && (
            <>
              <RowAction
                permission="automation:manage"
                label={`Release ${delivery.id}`}
                icon={<Check size={16} />}
                onClick={() => run('release', delivery)}
              />
              <RowAction
                permission="automation:manage"
                label={`Dismiss ${delivery.id}`}
                icon={<X size={16} />}
                onClick={() => run('dismiss', delivery)}
              />
            </>
          )}
          {isReplayable(delivery) && (
            <RowAction
              permission="automation:manage"
              label={`Send ${delivery.id} again`}
              icon={<RotateCcw size={16} />}
              onClick={() => run('replay', delivery)}
            />
          )}
          <Tooltip label="Attempts and content">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Attempts and content of ${delivery.id}`}
              onClick={() => onOpen(delivery.id)}
            >
              <List size={16} />
            </ActionIcon>
          </Tooltip>
        </>
      ),
    },
  ];
  return <DataTable label={label} columns={columns} rows={deliveries} keyOf={({ id }) => id} />;
}

function StateCell({ delivery }: { delivery: ListedDelivery }) {
  const { state, reason, attempts, nextAt, reference, changedBy, replays } = delivery;
  return (
    <div>
      <DeliveryState state={state} />
      {reference !== '' && <span> · {reference}</span>}
      {reason !== '' && <span className="dimmed"> · {reason}</span>}
      {state === 'waiting' && attempts > 0 && (
        <span className="dimmed">
          {' '}
          · tried {attempts === 1 ? 'once' : `${attempts} times`}, next <RelativeTime at={nextAt} />
        </span>
      )}
      {replays > 0 && <span className="dimmed"> · sent again {replays === 1 ? 'once' : `${replays} times`}</span>}
      {changedBy !== '' && <span className="dimmed"> · by {changedBy}</span>}
    </div>
  );
}
