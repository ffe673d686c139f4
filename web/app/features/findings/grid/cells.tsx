import { memo } from 'react';
import { StateChip, TypeChip } from '#web/ui/badges/finding-chips.tsx';
import type { FindingState } from '#web/ui/badges/finding-state.ts';
import { SeverityChip, severityOf } from '#web/ui/badges/severity.tsx';
import { formatAbsoluteTime } from '#web/ui/text/relative-time.tsx';
import { NOBODY } from '../model/decision.ts';
import { idLabel } from '../model/finding-id.ts';
import { ageText, type FindingRow, locationText } from '../model/finding-row.ts';
import { pendingAssignee, usePendingDecision } from '../model/pending-decisions.ts';
import type { FindingColumn } from './columns.ts';

/** The state of a finding, with a pending decision applied. */
export function useShownState(row: FindingRow): { state: FindingState; problem: string } {
  const decided = usePendingDecision(row.id);
  if (!decided) return { state: row.state, problem: '' };
  if (decided.kind === 'refused') return { state: row.state, problem: decided.problem?.detail ?? '' };
  return { state: decided.decision.state ?? row.state, problem: '' };
}

function StateCell({ row }: { row: FindingRow }) {
  const { state, problem } = useShownState(row);
  return problem === '' ? (
    <StateChip state={state} />
  ) : (
    <span className="findings-refused" title={problem}>
      <StateChip state={state} /> not changed: {problem}
    </span>
  );
}

function AssigneeCell({ row }: { row: FindingRow }) {
  const { id, name } = pendingAssignee(usePendingDecision(row.id)) ?? row.assignee ?? NOBODY;
  if (id === '') return null;
  return <span title={name}>{name}</span>;
}

/** Says both times where they differ: the list is sorted by the later one. */
function ageTitle({ at, firstSeenAt }: FindingRow): string {
  const since = formatAbsoluteTime(new Date(at));
  return at === firstSeenAt ? since : `Open since ${since}; first seen ${formatAbsoluteTime(new Date(firstSeenAt))}`;
}

interface CellProps {
  column: FindingColumn;
  row: FindingRow;
  now: Date;
}

/** The content of one cell. */
export const Cell = memo(function Cell({ column, row, now }: CellProps) {
  switch (column) {
    case 'severity':
      return <SeverityChip severity={severityOf(row.severity)} />;
    case 'type':
      return <TypeChip type={row.type} />;
    case 'location':
      return (
        <span className="mono" title={locationText(row)}>
          {locationText(row)}
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
        <time dateTime={row.at} title={ageTitle(row)}>
          {ageText(row.at, now)}
        </time>
      );
    case 'state':
      return <StateCell row={row} />;
    case 'assignee':
      return <AssigneeCell row={row} />;
    case 'id':
      return <span className="mono">{idLabel(row.id)}</span>;
  }
});
