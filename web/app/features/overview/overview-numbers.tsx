import { NumberFigure } from '#web/ui/charts/number-figure.tsx';
import { netChanges, signedNumber } from './overview.ts';
import type { Overview } from './overview-query.ts';
import type { OpenCounts } from './use-open-counts.ts';

const BEFORE_MERGE =
  'The share of findings reported on pull requests of this period that were fixed before the merge. Not available ' +
  'without pull requests, or with a filter.';

interface OverviewNumbersProps {
  overview: Overview;
  openCounts: OpenCounts | undefined;
}

/** The numbers of the overview, linked to the findings they count. */
export function OverviewNumbers({ overview: { numbers, netChange }, openCounts }: OverviewNumbersProps) {
  const net = netChanges(netChange).reduce((sum, value) => sum + value, 0);
  return (
    <dl className="number-figures">
      <NumberFigure
        label="Open, critical and high"
        value={openCounts?.openPriority}
        q={numbers.openPriority.q}
        hasWorkflows
        definition="Untriaged findings of severity critical or high that scans still find, with those of workflows."
      />
      <NumberFigure
        label="Open"
        value={openCounts?.open}
        q={numbers.open.q}
        hasWorkflows
        definition="Untriaged findings of any severity that scans still find, with those of workflows."
        aside={`net change ${signedNumber(net)}`}
      />
      <NumberFigure
        label="Opened"
        value={numbers.opened.value}
        q={numbers.opened.q}
        definition="Findings that were first seen in this period, without those of workflows."
      />
      <NumberFigure
        label="Fixed"
        value={numbers.fixed.value}
        q={numbers.fixed.q}
        definition="Findings that a scan no longer found in this period, without those of workflows."
      />
      <NumberFigure
        label="Median age"
        value={numbers.medianAgeDays.value}
        unit=" d"
        definition="Half of the open findings are older than this many days."
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
