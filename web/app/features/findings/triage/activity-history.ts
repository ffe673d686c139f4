interface ActivityEntry {
  date: string;
  historyType: string;
}

interface TriageEvent {
  at: string;
  kind: string;
  batchId: string;
  canUndo: boolean;
}

const isSameTime = (a: string, b: string) => new Date(a).getTime() === new Date(b).getTime();

/** The batch to undo for an entry, if it can still be undone. */
export function undoBatchOf(entry: ActivityEntry, events: readonly TriageEvent[]): string | undefined {
  if (entry.historyType !== 'HISTORY_TYPE_TRIAGE') return undefined;
  return events.find(({ at, kind, canUndo }) => canUndo && kind === 'triaged' && isSameTime(at, entry.date))?.batchId;
}

/** The entry of the current decision; changes of the note alone do not count. */
export const latestDecision = <Item extends ActivityEntry & { title: string }>(
  history: readonly Item[],
): Item | undefined =>
  history.find(({ historyType, title }) => historyType === 'HISTORY_TYPE_TRIAGE' && title !== 'Note changed');
