import { Button } from '@mantine/core';
import { useState } from 'react';
import { isReplayable } from '#web/ui/deliveries/delivery-labels.ts';
import { DeliveryLog } from '#web/ui/deliveries/delivery-log.tsx';
import type { DeliveryListFilter, ListedDelivery } from '#web/ui/deliveries/delivery-queries.ts';
import { type DeliveryChange, useDeliveryChanges } from '#web/ui/deliveries/use-delivery-changes.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';

interface DeliveriesTabProps {
  filter: DeliveryListFilter;
  onFilter: (filter: Pick<DeliveryListFilter, 'state' | 'days'>) => void;
  onAllRuns: () => void;
  onOpen: (deliveryId: string) => void;
}

/** What an automation sent, or would have sent; what failed can be sent again. */
export function DeliveriesTab({ filter, onFilter, onAllRuns, onOpen }: DeliveriesTabProps) {
  return (
    <DeliveryLog
      filter={filter}
      empty={{ title: 'No deliveries', why: 'What the automation sends, or would send, is listed here for 90 days.' }}
      onFilter={onFilter}
      onOpen={onOpen}
      actions={(shown) => (
        <>
          {filter.runId !== undefined && (
            <Button variant="default" onClick={onAllRuns}>
              Only run {filter.runId}: show all
            </Button>
          )}
          {filter.state === 'failed' && <ReplayShown shown={shown} />}
        </>
      )}
    />
  );
}

function ReplayShown({ shown }: { shown: readonly ListedDelivery[] }) {
  const change = useDeliveryChanges();
  const ids = shown.filter(isReplayable).map(({ id }) => id);
  if (ids.length === 0) return null;
  return (
    <PermissionGate permission="automation:manage">
      {(isDisabled) => (
        <Button
          variant="default"
          disabled={isDisabled}
          loading={change.isPending}
          onClick={() => change.mutate({ change: 'replay', ids })}
        >
          Send {ids.length} again
        </Button>
      )}
    </PermissionGate>
  );
}

interface HeldTabProps {
  automationId: string;
  onOpen: (deliveryId: string) => void;
}

/** What exceeded a limit and waits for somebody to release or dismiss it. */
export function HeldTab({ automationId, onOpen }: HeldTabProps) {
  const [asking, setAsking] = useState<{ change: DeliveryChange; ids: readonly string[] }>();
  const change = useDeliveryChanges();
  return (
    <>
      <DeliveryLog
        filter={{ automationId, state: 'held' }}
        empty={{ title: 'Nothing is held', why: 'What exceeds a limit is held here instead of being sent or dropped.' }}
        onOpen={onOpen}
        actions={(shown) => {
          const ids = shown.map(({ id }) => id);
          return (
            <PermissionGate permission="automation:manage">
              {(isDisabled) => (
                <Button.Group>
                  <Button disabled={isDisabled} onClick={() => setAsking({ change: 'release', ids })}>
                    Release {ids.length}
                  </Button>
                  <Button variant="default" disabled={isDisabled} onClick={() => setAsking({ change: 'dismiss', ids })}>
                    Dismiss {ids.length}
                  </Button>
                </Button.Group>
              )}
            </PermissionGate>
          );
        }}
      />
      {asking && (
        <ConfirmDialog
          title={asking.change === 'release' ? 'Release what is held?' : 'Dismiss what is held?'}
          actionLabel={asking.change === 'release' ? 'Release' : 'Dismiss'}
          isHarmless={asking.change === 'release'}
          onConfirm={() => change.mutateAsync(asking)}
          onClose={() => setAsking(undefined)}
        >
          {asking.change === 'release'
            ? `${asking.ids.length} deliveries are sent now, oldest first.`
            : `${asking.ids.length} deliveries are never sent. They stay listed as cancelled.`}
        </ConfirmDialog>
      )}
    </>
  );
}
