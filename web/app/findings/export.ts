import { issues, tasks } from '#web/api/services.ts';
import { type Column, exportColumns } from './columns.ts';
import { SORTED } from './queries.ts';
import type { Sort } from './search.ts';

export const FORMATS = { EXPORT_FORMAT_CSV: 'CSV', EXPORT_FORMAT_JSON: 'JSON', EXPORT_FORMAT_SARIF: 'SARIF' } as const;
export type Format = keyof typeof FORMATS;

const ASK_MS = 500;

interface Wanted {
  deploymentId: string;
  q: string;
  sort: Sort;
  columns: readonly Column[];
  format: Format;
  signal: AbortSignal;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Writes exactly the view into a file, and gives the link to it. */
export async function exportView({ deploymentId, q, sort, columns, format, signal }: Wanted): Promise<string> {
  const body = {
    q,
    ...SORTED[sort],
    format,
    ...(format === 'EXPORT_FORMAT_CSV' ? { columns: exportColumns(columns) } : {}),
  };
  const { taskTokenJwt } = await issues.exportIssues({ path: { deploymentId }, body }, { signal });
  for (;;) {
    const { taskResult } = await tasks.getTaskResult({ path: { taskTokenJwt } }, { signal });
    if (taskResult?.status === 'TASK_STATUS_COMPLETED') return taskResult.resultString;
    if (taskResult !== undefined && taskResult.status !== 'TASK_STATUS_IN_PROGRESS')
      throw new Error(`The export failed: ${taskResult.resultString}`);
    await pause(ASK_MS);
    signal.throwIfAborted();
  }
}
