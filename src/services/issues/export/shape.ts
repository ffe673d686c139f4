/** File formats of an export. */
export const EXPORT_FORMATS = ['EXPORT_FORMAT_CSV', 'EXPORT_FORMAT_JSON', 'EXPORT_FORMAT_SARIF'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The columns of a CSV export in their default order. */
export const EXPORT_COLUMNS = [
  'id',
  'type',
  'state',
  'severity',
  'confidence',
  'rule',
  'title',
  'message',
  'repository',
  'ref',
  'path',
  'line',
  'url',
  'created_at',
  'relevant_since',
  'triage_state',
  'triage_reason',
  'note',
  'assignee',
  'advisory',
  'package',
  'version',
  'secret_type',
] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];
