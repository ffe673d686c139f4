import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import type { ActivityOfAutomation } from '#web/ui/automations/automation-queries.ts';
import { WeekLine } from '#web/ui/automations/week-line.tsx';
import type { DeliveryStateName } from '#web/ui/deliveries/delivery-queries.ts';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';

const COUNTED = [
  'sent',
  'waiting',
  'held',
  'failed',
  'skipped',
  'would',
] as const satisfies readonly DeliveryStateName[];

/** The last run of an automation, and what it sent, holds and failed to send in seven days. */
export function AutomationActivityLine({ activity }: { activity: ActivityOfAutomation }) {
  const { lastRunAt, lastMatchedAt, lastFailure, pauseReason, days } = activity;
  return (
    <>
      {pauseReason !== '' && <p className="automation-warning">Paused: {pauseReason}</p>}
      {lastFailure !== '' && <p className="automation-warning">The last run failed: {lastFailure}</p>}
      <div className="automation-week">
        <WeekLine days={days} />
        <span>
          <WeekNumbers activity={activity} />
        </span>
        <span className="dimmed">
          {lastRunAt === undefined ? (
            'has not run yet'
          ) : (
            <>
              last run <RelativeTime at={lastRunAt} />
              {lastMatchedAt === undefined ? (
                ', nothing has matched'
              ) : (
                <>
                  , last match <RelativeTime at={lastMatchedAt} />
                </>
              )}
            </>
          )}
        </span>
      </div>
    </>
  );
}

/** The numbers that are not zero, each with a link to its deliveries. */
function WeekNumbers({ activity }: { activity: ActivityOfAutomation }) {
  const org = useOrg();
  const shown = COUNTED.filter((state) => Number(activity[state]) > 0);
  if (shown.length === 0) return <span className="dimmed">Nothing sent in 7 days</span>;
  return shown.map((state, index) => {
    const text = `${activity[state]} ${state === 'would' ? 'would be sent' : state}`;
    return (
      <Fragment key={state}>
        {index > 0 && ' · '}
        {org.may('delivery:read') ? (
          <Link
            to="/o/$slug/automations/$automationId"
            params={{ slug: org.slug, automationId: activity.automationId }}
            search={{ tab: 'deliveries', state, days: '7' }}
          >
            {text}
          </Link>
        ) : (
          text
        )}
      </Fragment>
    );
  });
}
