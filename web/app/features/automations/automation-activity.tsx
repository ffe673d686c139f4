import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import type { ActivityOfAutomation } from './queries.ts';

const MODES = { live: 'Live', simulate: 'Simulating: nothing is sent or decided', paused: 'Paused' } as const;

/** What an automation did in the last seven days, as numbers that are not zero. */
export function activityNumbers({ sent, held, failed, waiting, skipped }: ActivityOfAutomation): string {
  const numbers = [
    [sent, 'sent'],
    [waiting, 'waiting'],
    [held, 'held'],
    [failed, 'failed'],
    [skipped, 'skipped'],
  ] as const;
  const shown = numbers.filter(([count]) => Number(count) > 0).map(([count, word]) => `${count} ${word}`);
  return shown.length === 0 ? 'nothing sent in 7 days' : `${shown.join(', ')} in 7 days`;
}

interface AutomationActivityLineProps {
  isActive: boolean;
  activity: ActivityOfAutomation | undefined;
}

/** The mode of an automation, why it is paused, its last run and what it sent. */
export function AutomationActivityLine({ isActive, activity }: AutomationActivityLineProps) {
  if (!activity) return <>{isActive ? 'Active' : 'Paused'}</>;
  const { mode, pauseReason, lastRunAt, lastFailure } = activity;
  return (
    <>
      {MODES[mode]}
      {pauseReason !== '' && ` (${pauseReason})`} ·{' '}
      {lastRunAt === undefined ? (
        'has not run yet'
      ) : (
        <>
          last run <RelativeTime at={lastRunAt} />, {activityNumbers(activity)}
        </>
      )}
      {lastFailure !== '' && ` · ${lastFailure}`}
    </>
  );
}
