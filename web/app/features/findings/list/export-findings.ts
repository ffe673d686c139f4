import { downloadTask } from '#web/foundation/api/download-task.ts';
import { issues } from '#web/foundation/api/services.ts';
import { exportColumns, type FindingColumn } from '../grid/columns.ts';
import { SORT_PARAMS } from '../model/list-queries.ts';
import type { FindingSort } from '../model/search.ts';

export const EXPORT_FORMATS = {
  EXPORT_FORMAT_CSV: 'CSV',
  EXPORT_FORMAT_JSON: 'JSON',
  EXPORT_FORMAT_SARIF: 'SARIF',
} as const;
export type ExportFormat = keyof typeof EXPORT_FORMATS;

interface ExportInput {
  deploymentId: string;
  q: string;
  sort: FindingSort;
  columns: readonly FindingColumn[];
  format: ExportFormat;
  signal: AbortSignal;
}

/** Exports the findings of a view and downloads the file. */
export async function exportFindings({ deploymentId, q, sort, columns, format, signal }: ExportInput): Promise<void> {
  const body = {
    q,
    includeWorkflows: true,
    ...SORT_PARAMS[sort],
    format,
    ...(format === 'EXPORT_FORMAT_CSV' ? { columns: exportColumns(columns) } : {}),
  };
  const { taskTokenJwt } = await issues.exportIssues({ path: { deploymentId }, body }, { signal });
  await downloadTask(taskTokenJwt, signal);
}
