import { NumberFigure } from '#web/charts/number-figure.tsx';
import { nearestQuery } from './filters.ts';
import type { Reply } from './guardrails.ts';
import type { GuardrailsSearch } from './search.ts';

const percent = (part: number, whole: number) => (whole === 0 ? '' : `${Math.round((100 * part) / whole)} % of shown`);

const OPENED =
  'totalOpened: findings that a policy wanted to show on a pull request of this period, each time they came up; the ' +
  'sum of all classes and buckets.';
const FIXED =
  'totalFixed: those of them that were shown and then fixed on the pull request, before it was merged; the sum of ' +
  'fixed over all buckets.';

/** The two totals of the report, each with what it counts. */
export function Totals({ reply, search, now }: { reply: Reply; search: GuardrailsSearch; now: Date }) {
  const [first, last] = [reply.buckets[0], reply.buckets.at(-1)];
  if (!first || !last) return null;
  const whole = { since: new Date(first.timePeriod.since), until: new Date(last.timePeriod.until) };
  const queryOf = (name: string) => nearestQuery(whole, name, { texts: search, now });
  const silenced = reply.buckets.reduce((sum, bucket) => sum + bucket.silenced, 0);
  return (
    <dl className="number-figures">
      <NumberFigure label="Opened" value={reply.totalOpened} definition={OPENED} q={queryOf('silenced')} />
      <NumberFigure
        label="Fixed"
        value={reply.totalFixed}
        definition={FIXED}
        q={queryOf('fixed')}
        aside={percent(reply.totalFixed, reply.totalOpened - silenced)}
      />
    </dl>
  );
}
