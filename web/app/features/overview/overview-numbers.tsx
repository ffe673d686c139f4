import { NumberFigure } from '#web/ui/charts/number-figure.tsx';
import { netChanges, signedNumber } from './overview.ts';
import type { Overview } from './overview-query.ts';

const BEFORE_MERGE =
  'Of the findings shown on pull requests of this period, those that were fixed there before the merge. Without pull ' +
  'requests, or with a filter, there is no such number.';

/** The numbers of the overview; each leads to the list it counts. */
export function OverviewNumbers({ overview: { numbers, netChange } }: { overview: Overview }) {
  const net = netChanges(netChange).reduce((sum, value) => sum + value, 0);
  return (
    <dl className="number-figures">
      <NumberFigure
        label="Open, critical and high"
        value={numbers.openPriority.value}
        q={numbers.openPriority.q}
        definition="Findings of severity critical or high that nobody has decided about and that scans still find."
      />
      <NumberFigure
        label="Open"
        value={numbers.open.value}
        q={numbers.open.q}
        definition="Findings of any severity that nobody has decided about and that scans still find."
        aside={`net change ${signedNumber(net)}`}
      />
      <NumberFigure
        label="Opened"
        value={numbers.opened.value}
        q={numbers.opened.q}
        definition="Findings that were first seen in this period."
      />
      <NumberFigure
        label="Fixed"
        value={numbers.fixed.value}
        q={numbers.fixed.q}
        definition="Findings that a scan no longer found in this period."
      />
      <NumberFigure
        label="Median age"
        value={numbers.medianAgeDays.value}
        unit=" d"
        definition="Half of the open findings were first seen longer ago than this many days."
      />
      <NumberFigure
        label="Fixed before merge"
        value={numbers.fixedBeforeMergePercent.value}
        unit=" %"
        definition={BEFORE_MERGE}
      />
    </dl>
  );
}
