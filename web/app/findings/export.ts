import { downloadTask } from '#web/api/download-task.ts';
import { issues } from '#web/api/services.ts';
import { type Column, exportColumns } from './columns.ts';
import { SORTED } from './queries.ts';
import type { Sort } from './search.ts';

export const FORMATS = { EXPORT_FORMAT_CSV: 'CSV', EXPORT_FORMAT_JSON: 'JSON', EXPORT_FORMAT_SARIF: 'SARIF' } as const;
export type Format = keyof typeof FORMATS;

interface Wanted {
  deploymentId: string;
  q: string;
  sort: Sort;
  columns: readonly Column[];
  format: Format;
  signal: AbortSignal;
}

/** Writes exactly the view into a file, and saves it. */
export async function exportView({ deploymentId, q, sort, columns, format, signal }: Wanted): Promise<void> {
  const body = {
    q,
    includeWorkflows: true,
    ...SORTED[sort],
    format,
    ...(format === 'EXPORT_FORMAT_CSV' ? { columns: exportColumns(columns) } : {}),
  };
  const { taskTokenJwt } = await issues.exportIssues({ path: { deploymentId }, body }, { signal });
  await downloadTask(taskTokenJwt, signal);
}
