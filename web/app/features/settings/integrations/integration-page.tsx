import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deliveries } from '#web/foundation/api/services.ts';
import { notify, notifyProblem } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { DeliveryDrawer } from '#web/ui/deliveries/delivery-drawer.tsx';
import { DeliveryLog } from '#web/ui/deliveries/delivery-log.tsx';
import { deliveriesKey } from '#web/ui/deliveries/delivery-queries.ts';
import { DELIVERY_STATES } from '#web/ui/deliveries/delivery-state-names.ts';
import { Page } from '#web/ui/page/page.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { Health, IntegrationFacts } from './integration-card.tsx';
import type { Integration } from './use-integrations.ts';

const KEPT_MS = 90 * 86_400_000;

/** One receiver with its log: for a tracker, the queue of its tickets. */
export function IntegrationPage({ integration }: { integration: Integration }) {
  const { id: deploymentId, slug } = useOrg();
  const { search, update } = useSettingsSearch();
  const { destination, tracker } = integration;
  return (
    <Page
      title={destination.name}
      aside={
        <>
          <Health integration={integration} />
          <Link to="/o/$slug/settings/{-$section}/{-$item}" params={{ slug, section: 'integrations', item: undefined }}>
            All integrations
          </Link>
        </>
      }
      actions={
        <CopyAsMenu
          operationId="DeliveriesService_ListDeliveries"
          input={{ path: { deploymentId }, query: { destinationId: destination.id } }}
        />
      }
    >
      <IntegrationFacts integration={integration} />
      <h2 className="integration-log-title">{tracker ? 'Tickets' : 'Deliveries'}</h2>
      <DeliveryLog
        filter={{
          destinationId: destination.id,
          state: DELIVERY_STATES.find((state) => state === search.state),
          days: search.days === '7' ? 7 : undefined,
        }}
        empty={{
          title: tracker ? 'No tickets yet' : 'Nothing was sent yet',
          why: 'What automations and people send here is listed for 90 days.',
        }}
        onFilter={({ state, days }) => update({ state, days: days === undefined ? undefined : '7' })}
        onOpen={(delivery) => update({ delivery })}
        actions={() => destination.failed > 0 && <ReplayFailed destination={destination} />}
      />
      {search.delivery !== undefined && (
        <DeliveryDrawer deliveryId={search.delivery} onClose={() => update({ delivery: undefined })} />
      )}
    </Page>
  );
}

function ReplayFailed({ destination }: { destination: Integration['destination'] }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: () =>
      deliveries.replayDeliveries({
        path: { deploymentId },
        body: { destinationId: destination.id, failedSince: new Date(Date.now() - KEPT_MS).toISOString() },
      }),
    onSuccess: async ({ deliveryIds }) => {
      notify(`${deliveryIds.length} deliveries are sent again.`);
      await queryClient.invalidateQueries({ queryKey: deliveriesKey(deploymentId) });
    },
    onError: notifyProblem,
  });
  return (
    <PermissionGate permission="automation:manage">
      {(isDisabled) => (
        <Button variant="default" disabled={isDisabled} loading={replay.isPending} onClick={() => replay.mutate()}>
          Send {destination.failed} failed again
        </Button>
      )}
    </PermissionGate>
  );
}
