import { NumberFigure } from '#web/charts/number-figure.tsx';
import { momentOf } from '#web/charts/periods.ts';
import { findingsBehind } from './filters.ts';
import type { Reply } from './guardrails.ts';
import type { GuardrailsSearch } from './search.ts';

const percent = (part: number, whole: number) => (whole === 0 ? '' : `${Math.round((100 * part) / whole)} % of shown`);

const OPENED =
  'totalOpened: findings that a policy wanted to show on a pull request of this period, each time they came up; the ' +
  'sum of all classes and buckets.';
const FIXED =
  'totalFixed: those of them that were shown and then fixed on the pull request, before it was merged; the sum of ' +
  'fixed over all buckets.';

interface TotalsProps {
  reply: Reply;
  /** The same of findings, once it is known. */
  findings: Reply | undefined;
  search: GuardrailsSearch;
  now: Date;
}

/** The two totals of the report, each with what it counts. */
export function Totals({ reply, findings, search, now }: TotalsProps) {
  const [first, last] = [reply.buckets[0], reply.buckets.at(-1)];
  if (!first || !last) return null;
  const whole = { since: new Date(first.timePeriod.since), until: new Date(last.timePeriod.until) };
  const counted = { texts: search, until: momentOf(search.until, now), now };
  const silenced = reply.buckets.reduce((sum, bucket) => sum + bucket.silenced, 0);
  return (
    <dl className="number-figures">
      <NumberFigure
        label="Opened"
        value={reply.totalOpened}
        definition={OPENED}
        q={findingsBehind(whole, undefined, counted)}
        findings={findings?.totalOpened}
      />
      <NumberFigure
        label="Fixed"
        value={reply.totalFixed}
        definition={FIXED}
        q={findingsBehind(whole, 'fixed', counted)}
        findings={findings?.totalFixed}
        aside={percent(reply.totalFixed, reply.totalOpened - silenced)}
      />
    </dl>
  );
}
