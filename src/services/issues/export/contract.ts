import { z } from 'zod';
import { INVALID_QUERY } from '#domain/findings/shape.ts';
import { TOO_MANY_TASKS } from '#domain/tasks/shape.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, oneOf } from '#kernel/contract/proto-fields.ts';
import { issueIncludeFields, issueSortFields, SORT_NOT_SERVED } from '../list/contract.ts';
import { includeWorkflowsField, issueQueryFields } from '../list/filter-shape.ts';
import { EXPORT_COLUMNS, EXPORT_FORMATS } from './shape.ts';

export const MAX_EXPORTED_ISSUES = 1_000_000;

const { filter, ...selection } = issueQueryFields;

export const exportIssues = operation({
  maturity: 'experimental',
  route: 'POST /api/agent/deployments/{deploymentId}/issues/export',
  summary: 'Export issues',
  description:
    'Starts a task that writes the selected issues to a file, by default CSV. TasksService returns the download ' +
    'link. `columns` selects the columns of a CSV file and their order. A SARIF file can be imported again with the ' +
    'same fingerprints. `limit` bounds the number of issues; `cursor` is ignored, because an export has no pages. ' +
    'With `includeWorkflows` the file also contains workflow issues, in the same order; in SARIF they are a ' +
    'separate run.',
  status: 202,
  allow: 'export:create',
  isStrict: true,
  path: { deploymentId: deployment() },
  body: {
    ...selection,
    ...issueSortFields,
    limit: z.int().min(1).max(MAX_EXPORTED_ISSUES).optional(),
    cursor: z.string().max(4096).optional(),
    filter,
    ...issueIncludeFields,
    format: oneOf(EXPORT_FORMATS).optional(),
    columns: z.array(z.string().max(64)).min(1).max(EXPORT_COLUMNS.length).optional(),
    ...includeWorkflowsField,
  },
  reply: { taskTokenJwt: z.string() },
  faults: [INVALID_QUERY, SORT_NOT_SERVED, TOO_MANY_TASKS, VALIDATION_FAILED],
});
