interface Entry {
  date: string;
  historyType: string;
}

interface Event {
  at: string;
  kind: string;
  batchId: string;
  canUndo: boolean;
}

const sameMoment = (one: string, other: string) => new Date(one).getTime() === new Date(other).getTime();

/** The batch that takes an entry back, where that is still possible. */
export function undoBatchOf(entry: Entry, events: readonly Event[]): string | undefined {
  if (entry.historyType !== 'HISTORY_TYPE_TRIAGE') return undefined;
  return events.find(({ at, kind, canUndo }) => canUndo && kind === 'triaged' && sameMoment(at, entry.date))?.batchId;
}

/** The entry that says who decided what is shown now; a change of the note alone is none. */
export const latestDecision = <Item extends Entry & { title: string }>(history: readonly Item[]): Item | undefined =>
  history.find(({ historyType, title }) => historyType === 'HISTORY_TYPE_TRIAGE' && title !== 'Note changed');

const DAY_MS = 86_400_000;

const padded = (number: number, length: number) => `${number}`.padStart(length, '0');

/** The day of a moment in the person's own zone, as a date field has it. */
export const dayOf = (moment: Date): string =>
  [padded(moment.getFullYear(), 4), padded(moment.getMonth() + 1, 2), padded(moment.getDate(), 2)].join('-');

/** The first day that a decision can end on, as a date field has it. */
export const tomorrowOf = (now: Date): string => dayOf(new Date(now.getTime() + DAY_MS));

/** The beginning of a day in the person's own zone, as the API takes it; what is no day is nothing. */
export function startOfDay(day: string): string | undefined {
  const moment = new Date(`${day}T00:00:00`);
  return day === '' || Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
