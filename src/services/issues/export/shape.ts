/** What an export can be written as. */
export const EXPORT_FORMATS = ['EXPORT_FORMAT_CSV', 'EXPORT_FORMAT_JSON', 'EXPORT_FORMAT_SARIF'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The columns of comma-separated values, in the order that they have unless another is asked for. */
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
  'advisory',
  'package',
  'version',
  'secret_type',
] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];
