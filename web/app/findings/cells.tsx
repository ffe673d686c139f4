import { memo } from 'react';
import { StateChip, TypeChip } from '#web/parts/finding-chips.tsx';
import type { FindingState } from '#web/parts/finding-state.ts';
import { SeverityChip, severityOf } from '#web/parts/severity.tsx';
import { absoluteTime } from '#web/parts/when.tsx';
import type { Column } from './columns.ts';
import { useDecided } from './decided.ts';
import { idLabel } from './kinds.ts';
import { ageOf, placeOf, type Row } from './row.ts';

/** The state that a finding has, or will have as soon as the server has heard of it. */
export function useShownState(row: Row): { state: FindingState; problem: string } {
  const decided = useDecided(row.id);
  if (!decided) return { state: row.state, problem: '' };
  if (decided.kind === 'refused') return { state: row.state, problem: decided.problem?.detail ?? '' };
  return { state: decided.decision.state, problem: '' };
}

function StateCell({ row }: { row: Row }) {
  const { state, problem } = useShownState(row);
  return problem === '' ? (
    <StateChip state={state} />
  ) : (
    <span className="findings-refused" title={problem}>
      <StateChip state={state} /> not changed: {problem}
    </span>
  );
}

interface CellProps {
  column: Column;
  row: Row;
  now: Date;
}

/** What stands in a column of a line. */
export const Cell = memo(function Cell({ column, row, now }: CellProps) {
  switch (column) {
    case 'severity':
      return <SeverityChip severity={severityOf(row.severity)} />;
    case 'type':
      return <TypeChip type={row.type} />;
    case 'location':
      return (
        <span className="mono" title={placeOf(row)}>
          {placeOf(row)}
        </span>
      );
    case 'project':
      return <span title={row.project}>{row.project}</span>;
    case 'rule':
      return (
        <span className="mono" title={row.rule}>
          {row.rule}
        </span>
      );
    case 'signal':
      return <span title={row.signal}>{row.signal}</span>;
    case 'age':
      return (
        <time dateTime={row.at} title={absoluteTime(new Date(row.at))}>
          {ageOf(row.at, now)}
        </time>
      );
    case 'state':
      return <StateCell row={row} />;
    case 'id':
      return <span className="mono">{idLabel(row.id)}</span>;
  }
});
