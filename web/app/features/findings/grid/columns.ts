/** The columns of the list beside the title, which is always there; from left to right. */
export const COLUMNS = {
  severity: { label: 'Severity', width: '6rem' },
  type: { label: 'Type', width: '6.5rem' },
  location: { label: 'Location', width: 'minmax(6.5rem, 1fr)' },
  project: { label: 'Project', width: 'minmax(5.5rem, 0.7fr)' },
  rule: { label: 'Rule', width: 'minmax(6rem, 0.8fr)' },
  signal: { label: 'Certainty', width: '9.5rem' },
  age: { label: 'Age', width: '2.75rem' },
  state: { label: 'State', width: '7rem' },
  id: { label: 'Id', width: '6rem' },
} as const;

export type FindingColumn = keyof typeof COLUMNS;
export const COLUMN_NAMES = Object.keys(COLUMNS) as FindingColumn[];

export const DEFAULT_COLUMNS: readonly FindingColumn[] = [
  'severity',
  'type',
  'location',
  'project',
  'signal',
  'age',
  'state',
];

/** The columns that an address names; names that mean nothing are passed over. */
export function parseColumns(cols: string | undefined): readonly FindingColumn[] {
  if (cols === undefined) return DEFAULT_COLUMNS;
  const wanted = cols.split(',');
  const known = COLUMN_NAMES.filter((name) => wanted.includes(name));
  return known.length > 0 || cols === 'none' ? known : DEFAULT_COLUMNS;
}

/** What stands in the address for these columns: nothing for the usual ones. */
export function columnsParam(columns: readonly FindingColumn[]): string | undefined {
  const names = COLUMN_NAMES.filter((name) => columns.includes(name));
  if (names.length === 0) return 'none';
  const cols = names.join(',');
  return cols === DEFAULT_COLUMNS.join(',') ? undefined : cols;
}

/** Below this width, types are shown by their shape alone. */
export const COMPACT_WIDTH_PX = 1100;

const ROOM_FOR: Partial<Record<FindingColumn, number>> = { signal: COMPACT_WIDTH_PX, project: 700 };

/** The columns that there is room for; whoever chose columns gets all of them. */
export const visibleColumns = (columns: readonly FindingColumn[], widthPx: number): readonly FindingColumn[] =>
  columns === DEFAULT_COLUMNS ? columns.filter((name) => widthPx >= (ROOM_FOR[name] ?? 0)) : columns;

/** Severity is read before the title, everything else after it. */
export const leadingColumns = (columns: readonly FindingColumn[]): FindingColumn[] =>
  columns.filter((name) => name === 'severity');
export const trailingColumns = (columns: readonly FindingColumn[]): FindingColumn[] =>
  columns.filter((name) => name !== 'severity');

/** The widths of a line: a place to tick, what leads, the title, and the rest. */
export function gridTemplateOf(columns: readonly FindingColumn[], isTight = false): string {
  const widthOf = (name: FindingColumn) => (isTight && name === 'type' ? '1.25rem' : COLUMNS[name].width);
  return [
    '2rem',
    ...leadingColumns(columns).map(widthOf),
    'minmax(9rem, 3fr)',
    ...trailingColumns(columns).map(widthOf),
  ].join(' ');
}

const GAP_REM = 0.75;
const PADDING_REM = 1;

/** Below this width the list scrolls sideways: the least widths of a template with the gaps between. */
export function minWidthOf(template: string): string {
  const widths = [...template.matchAll(/(?:minmax\()?([\d.]+)rem/g)].map(([, rem]) => Number(rem));
  const sum = widths.reduce((total, width) => total + width + GAP_REM, PADDING_REM - GAP_REM);
  return `${sum}rem`;
}

/** What a column of the list is called in a table of values; the first say which finding it is. */
const NAMES: Record<FindingColumn, readonly string[]> = {
  severity: ['severity'],
  type: ['type'],
  location: ['path', 'line'],
  project: ['repository'],
  rule: ['rule'],
  signal: ['confidence'],
  age: ['created_at'],
  state: ['state'],
  id: [],
};

/** The columns of a table of values for those of the list. */
export const exportColumns = (columns: readonly FindingColumn[]): string[] => [
  'id',
  'title',
  ...columns.flatMap((name) => NAMES[name]),
  'message',
  'url',
];
