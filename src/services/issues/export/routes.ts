import { startTask } from '#domain/tasks/task-runner.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Call, OperationHandlers } from '#kernel/http/pipeline/group.ts';
import { findingFilterOf } from '../list/filter-mapping.ts';
import { issueOrderOf } from '../list/issue-order.ts';
import * as contract from './contract.ts';
import { issueExportTask } from './jobs.ts';
import { EXPORT_COLUMNS, type ExportColumn } from './shape.ts';

type ExportRequest = Pick<Call<typeof contract.exportIssues>['body'], 'format' | 'columns'>;

/** The requested columns of an export; undefined means all. */
function exportColumnsOf({ format = 'EXPORT_FORMAT_CSV', columns }: ExportRequest): ExportColumn[] | undefined {
  if (columns && format !== 'EXPORT_FORMAT_CSV')
    refuseFieldErrors(VALIDATION_FAILED, [
      { pointer: '#/columns', code: 'INVALID', detail: 'is allowed only for CSV' },
    ]);
  const isKnown = (column: string): column is ExportColumn => (EXPORT_COLUMNS as readonly string[]).includes(column);
  const detail = `must be one of ${EXPORT_COLUMNS.join(', ')}`;
  refuseFieldErrors(
    VALIDATION_FAILED,
    (columns ?? []).flatMap((column, index) =>
      isKnown(column) ? [] : [{ pointer: `#/columns/${index}`, code: 'INVALID', detail }],
    ),
  );
  return columns?.filter(isKnown);
}

/** The handler that starts an export. */
export const exportHandlers: OperationHandlers<typeof contract> = {
  exportIssues: async ({ body, tx, caller, now, services, answer }) => {
    const { issueType, issueTypes = [], filter = {}, q = '', limit: maxIssues = contract.MAX_EXPORTED_ISSUES } = body;
    const types = issueTypes.length === 0 && issueType !== undefined ? [issueType] : issueTypes;
    // Refuses an invalid filter now, not in the task.
    findingFilterOf({ issueTypes: types, filter, ...(q !== '' && { q }) }, now);
    const { userId, seesEverything, deployment } = caller;
    const { format = 'EXPORT_FORMAT_CSV' } = body;
    const input = {
      ...{ issueTypes: types, filter, q, order: issueOrderOf(body), maxIssues, format, columns: exportColumnsOf(body) },
      ...{ asOf: now.toISOString(), userId, seesEverything, includeWorkflows: body.includeWorkflows === true },
    };
    answer.recordEffect({ object: 'export', after: { q, filter } });
    return {
      taskTokenJwt: await startTask(tx, services.keys, { kind: issueExportTask, caller, deployment, input, now }),
    };
  },
};
