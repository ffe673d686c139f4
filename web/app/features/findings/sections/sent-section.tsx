import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { automationRuns, deliveries } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { automationsQuery } from '#web/ui/automations/automation-queries.ts';
import { MatchExplanation } from '#web/ui/automations/match-explanation.tsx';
import { useAutomationNames } from '#web/ui/automations/use-automation-names.ts';
import { targetLabel } from '#web/ui/deliveries/delivery-labels.ts';
import { deliveriesKey } from '#web/ui/deliveries/delivery-queries.ts';
import { DeliveryState } from '#web/ui/deliveries/delivery-state.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { SafeLink } from '#web/ui/text/safe-link.tsx';
import type { Issue } from '../model/queries.ts';
import { FindingSection } from './finding-section.tsx';

type SentReply = Awaited<ReturnType<typeof deliveries.listFindingDeliveries>>;

/** What was sent about a finding, its ticket, and why an automation fired or did not. */
export function SentSection({ issue }: { issue: Issue }) {
  const org = useOrg();
  const { data, error, refetch } = useQuery({
    queryKey: [...deliveriesKey(org.id), 'finding', issue.id],
    queryFn: ({ signal }) =>
      deliveries.listFindingDeliveries({ path: { deploymentId: org.id, findingId: issue.id } }, { signal }),
  });
  return (
    <FindingSection title="Sent and decided by automations">
      {!data && error && <ProblemView error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={2} height={32} />}
      {data && <TicketLine ticket={data.ticket} attempts={issue.ticketAttempts} />}
      {data && <SentList deliveries={data.deliveries} />}
      <WhyAutomation issue={issue} />
    </FindingSection>
  );
}

const TICKET_STATES = { planned: 'being opened', open: 'open', closed: 'closed' } as const;

function TicketLine({ ticket, attempts }: { ticket: SentReply['ticket']; attempts: Issue['ticketAttempts'] }) {
  const [failed] = attempts;
  if (ticket)
    return (
      <p>
        Ticket {ticket.url !== '' && <SafeLink href={ticket.url}>{ticket.slug}</SafeLink>}
        {` in ${ticket.trackerName}: `}
        <strong>{TICKET_STATES[ticket.state]}</strong>
        {ticket.syncedAt !== undefined && (
          <span className="dimmed">
            , checked <RelativeTime at={ticket.syncedAt} />
          </span>
        )}
      </p>
    );
  if (failed === undefined) return null;
  return (
    <p>
      No ticket was opened <RelativeTime at={failed.attemptedAt} />: {failed.responseMessage}
    </p>
  );
}

function SentList({ deliveries: sent }: { deliveries: SentReply['deliveries'] }) {
  const { slug } = useOrg();
  if (sent.length === 0) return <p className="dimmed">No automation has sent or decided anything about it.</p>;
  return (
    <ul className="finding-timeline">
      {sent.map((delivery) => (
        <li key={delivery.id}>
          <DeliveryState state={delivery.state} />
          {delivery.destinationName === '' ? ': ' : ' to '}
          {targetLabel(delivery)}
          {delivery.reference !== '' && ` (${delivery.reference})`}
          {delivery.reason !== '' && ` (${delivery.reason})`}
          <span className="dimmed">
            {' · '}
            <RelativeTime at={delivery.at} />
            {delivery.automationId !== undefined && delivery.automationName !== '' && (
              <>
                {' by '}
                <Link to="/o/$slug/automations/$automationId" params={{ slug, automationId: delivery.automationId }}>
                  {delivery.automationName}
                </Link>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Explains one automation for this finding. */
function WhyAutomation({ issue }: { issue: Issue }) {
  const org = useOrg();
  const [chosen, setChosen] = useState<string>();
  const list = useQuery({ ...automationsQuery(org.id), enabled: org.may('automation:read') }).data ?? [];
  const names = useAutomationNames(list.filter(({ id }) => id === chosen));
  const { data, error } = useQuery({
    queryKey: [org.id, 'automations', 'why', chosen, issue.id, issue.loadedAtRevision],
    queryFn: ({ signal }) =>
      automationRuns.explainAutomation(
        { path: { deploymentId: org.id, automationId: chosen ?? '', findingId: issue.id } },
        { signal },
      ),
    enabled: chosen !== undefined,
  });
  if (list.length === 0) return null;
  return (
    <div className="no-print">
      <Select
        label="Why did an automation fire, or not?"
        placeholder="Choose an automation"
        searchable
        clearable
        data={list.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen ?? null}
        onChange={(id) => setChosen(id ?? undefined)}
      />
      {chosen !== undefined && error && <ProblemView error={error} />}
      {chosen !== undefined && data && <MatchExplanation explanation={data} names={names} />}
    </div>
  );
}
