import type { FindingsBehindTotal } from '#web/ui/charts/data/chart-data.ts';
import { NumberFigure } from '#web/ui/charts/number-figure.tsx';
import type { GuardrailsReport } from './guardrails.ts';

const percent = (part: number, whole: number) =>
  whole === 0 ? '' : `${Math.round((100 * part) / whole)} % of reported`;

const OPENED =
  'totalOpened: findings that a policy reports on pull requests of this period, counted on each appearance; the sum ' +
  'of all classes and buckets.';
const FIXED =
  'totalFixed: those that were reported and then fixed on the pull request before it was merged; the sum of fixed ' +
  'over all buckets.';

interface TotalsProps {
  reply: GuardrailsReport;
  behindSum: FindingsBehindTotal;
}

/** The two totals of the report with their definitions. */
export function GuardrailsTotals({ reply, behindSum }: TotalsProps) {
  const silenced = reply.buckets.reduce((sum, bucket) => sum + bucket.silenced, 0);
  return (
    <dl className="number-figures">
      <NumberFigure label="Opened" value={reply.totalOpened} definition={OPENED} {...behindSum({})} />
      <NumberFigure
        label="Fixed"
        value={reply.totalFixed}
        definition={FIXED}
        {...behindSum({ series: 'fixed' })}
        aside={percent(reply.totalFixed, reply.totalOpened - silenced)}
      />
    </dl>
  );
}
