import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyText } from '../clipboard/copy-text.tsx';
import { SideDialog } from '../dialog/dialog.tsx';
import { PermissionGate } from '../page/permission-gate.tsx';
import { LoadingRows, ProblemView } from '../page/view-states.tsx';
import { RelativeTime } from '../text/relative-time.tsx';
import { contentLabel, isReplayable, targetLabel } from './delivery-labels.ts';
import { type DeliveryDetails, deliveryQuery } from './delivery-queries.ts';
import { DeliveryState } from './delivery-state.tsx';
import './deliveries.css';
import { useDeliveryChanges } from './use-delivery-changes.ts';

interface DeliveryDrawerProps {
  deliveryId: string;
  onClose: () => void;
}

/** One delivery: its state, attempts with the answers, findings, and the bodies that were sent. */
export function DeliveryDrawer({ deliveryId, onClose }: DeliveryDrawerProps) {
  const org = useOrg();
  const { data, error, refetch } = useQuery(deliveryQuery(org.id, deliveryId));
  return (
    <SideDialog onClose={onClose} size="lg" title={`Delivery ${deliveryId}`}>
      {!data && error && <ProblemView error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={6} />}
      {data && <Details details={data} />}
    </SideDialog>
  );
}

function Details({ details: { delivery, attempts, bodies, issueIds } }: { details: DeliveryDetails }) {
  const change = useDeliveryChanges();
  return (
    <div className="delivery-details">
      <p>
        <DeliveryState state={delivery.state} />: {contentLabel(delivery)} to <strong>{targetLabel(delivery)}</strong>
        {delivery.reference !== '' && ` (${delivery.reference})`}
      </p>
      {delivery.reason !== '' && <p className="dimmed">{delivery.reason}</p>}
      {isReplayable(delivery) && (
        <PermissionGate permission="automation:manage">
          {(isDisabled) => (
            <Button
              variant="default"
              size="xs"
              disabled={isDisabled || bodies.length === 0}
              loading={change.isPending}
              onClick={() => change.mutate({ change: 'replay', ids: [delivery.id] })}
            >
              {bodies.length === 0 ? 'Cannot be sent again: its content was deleted' : 'Send again'}
            </Button>
          )}
        </PermissionGate>
      )}
      <Attempts attempts={attempts} parts={delivery.parts ?? 1} />
      <Findings ids={issueIds} count={delivery.findingCount} />
      {bodies.map((body, index) => (
        <details key={body} open={bodies.length === 1}>
          <summary>{bodies.length === 1 ? 'Body' : `Body ${index + 1} of ${bodies.length}`}</summary>
          <pre className="delivery-body" tabIndex={0}>
            {pretty(body)}
          </pre>
          <CopyText text={body} label="body" isHidden />
        </details>
      ))}
    </div>
  );
}

/** Bodies are compact; people read them with line breaks. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}

function Attempts({ attempts, parts }: { attempts: DeliveryDetails['attempts']; parts: number }) {
  if (attempts.length === 0) return <p className="dimmed">It has not been tried.</p>;
  return (
    <>
      <h3>Attempts</h3>
      <ol className="delivery-attempts">
        {attempts.map(({ at, part, outcome, status, durationMs, detail, answer }) => (
          <li key={`${at} ${part} ${outcome}`}>
            <RelativeTime at={at} />: {outcome}
            {status > 0 && ` with status ${status}`} after {durationMs} ms
            {parts > 1 && ` (part ${part + 1} of ${parts})`}
            {detail !== '' && <p className="dimmed">{detail}</p>}
            {answer !== '' && (
              <pre className="delivery-body" tabIndex={0}>
                {answer}
              </pre>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

function Findings({ ids, count }: { ids: readonly string[]; count: number }) {
  const { slug } = useOrg();
  if (ids.length === 0) return null;
  return (
    <>
      <h3>Findings</h3>
      <p className="delivery-findings">
        {ids.map((issueId) => (
          <Link key={issueId} to="/o/$slug/findings/$issueId" params={{ slug, issueId }}>
            ISS-{issueId}
          </Link>
        ))}
        {count > ids.length && <span className="dimmed">and {count - ids.length} more</span>}
      </p>
    </>
  );
}
