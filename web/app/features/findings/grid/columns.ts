/** The optional columns of the list, from left to right; the title is always shown. */
export const COLUMNS = {
  severity: { label: 'Severity', width: '6rem' },
  type: { label: 'Type', width: '6.5rem' },
  location: { label: 'Location', width: 'minmax(6.5rem, 1fr)' },
  project: { label: 'Project', width: 'minmax(5.5rem, 0.7fr)' },
  rule: { label: 'Rule', width: 'minmax(6rem, 0.8fr)' },
  signal: { label: 'Certainty', width: '9.5rem' },
  age: { label: 'Age', width: '2.75rem' },
  state: { label: 'State', width: '7rem' },
  assignee: { label: 'Assignee', width: '7rem' },
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
  'assignee',
];

/** Reads the `cols` parameter; unknown names are ignored. */
export function parseColumns(cols: string | undefined): readonly FindingColumn[] {
  if (cols === undefined) return DEFAULT_COLUMNS;
  const names = cols.split(',');
  const known = COLUMN_NAMES.filter((name) => names.includes(name));
  return known.length > 0 || cols === 'none' ? known : DEFAULT_COLUMNS;
}

/** The `cols` parameter for these columns; undefined for the default ones. */
export function columnsParam(columns: readonly FindingColumn[]): string | undefined {
  const names = COLUMN_NAMES.filter((name) => columns.includes(name));
  if (names.length === 0) return 'none';
  const cols = names.join(',');
  return cols === DEFAULT_COLUMNS.join(',') ? undefined : cols;
}

/** Below this width, types are shown by their icon alone. */
export const COMPACT_WIDTH_PX = 1100;

const MIN_LIST_WIDTH_PX: Partial<Record<FindingColumn, number>> = { signal: 1000, assignee: 740 };

/** Below this width, the place of a finding stands below its title, where it is readable. */
const TWO_LINE_WIDTH_PX = 1400;
const PLACE_COLUMNS: readonly FindingColumn[] = ['type', 'location', 'project'];

/** Whether rows have a second line for the place; columns that a person chose stay columns. */
export const isTwoLine = (columns: readonly FindingColumn[], widthPx: number): boolean =>
  columns === DEFAULT_COLUMNS && widthPx < TWO_LINE_WIDTH_PX;

/** The default columns that fit the width; columns that a person chose are all shown. */
export const visibleColumns = (columns: readonly FindingColumn[], widthPx: number): readonly FindingColumn[] =>
  columns === DEFAULT_COLUMNS
    ? columns.filter(
        (name) =>
          widthPx >= (MIN_LIST_WIDTH_PX[name] ?? 0) && !(isTwoLine(columns, widthPx) && PLACE_COLUMNS.includes(name)),
      )
    : columns;

/** Severity stands before the title, all other columns after it. */
export const leadingColumns = (columns: readonly FindingColumn[]): FindingColumn[] =>
  columns.filter((name) => name === 'severity');
export const trailingColumns = (columns: readonly FindingColumn[]): FindingColumn[] =>
  columns.filter((name) => name !== 'severity');

/** The CSS grid template of a row: checkbox, leading columns, title, trailing columns. */
export function gridTemplateOf(columns: readonly FindingColumn[], isCompact = false): string {
  const widthOf = (name: FindingColumn) => (isCompact && name === 'type' ? '1.25rem' : COLUMNS[name].width);
  return [
    '2rem',
    ...leadingColumns(columns).map(widthOf),
    'minmax(9rem, 3fr)',
    ...trailingColumns(columns).map(widthOf),
  ].join(' ');
}

const GAP_REM = 0.75;
const PADDING_REM = 1;

/** The minimum width of a row, below which the list scrolls sideways. */
export function minWidthOf(template: string): string {
  const widths = [...template.matchAll(/(?:minmax\()?([\d.]+)rem/g)].map(([, rem]) => Number(rem));
  const sum = widths.reduce((total, width) => total + width + GAP_REM, PADDING_REM - GAP_REM);
  return `${sum}rem`;
}

/** The names of the columns in a CSV export. */
const EXPORT_NAMES: Record<FindingColumn, readonly string[]> = {
  severity: ['severity'],
  type: ['type'],
  location: ['path', 'line'],
  project: ['repository'],
  rule: ['rule'],
  signal: ['confidence'],
  age: ['created_at'],
  state: ['state'],
  assignee: ['assignee'],
  id: [],
};

/** The columns of a CSV export for these columns of the list. */
export const exportColumns = (columns: readonly FindingColumn[]): string[] => [
  'id',
  'title',
  ...columns.flatMap((name) => EXPORT_NAMES[name]),
  'message',
  'url',
];
