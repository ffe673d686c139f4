import { z } from 'zod';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { operation } from '#kernel/contract/operation.ts';
import { count, oneOf } from '#kernel/contract/proto-fields.ts';

export const TaskStatus = oneOf([
  'TASK_STATUS_IN_PROGRESS',
  'TASK_STATUS_COMPLETED',
  'TASK_STATUS_FAILED',
  'TASK_STATUS_TERMINATED',
]);
export const TaskResult = z.object({ status: TaskStatus, resultString: z.string() });

const MAX_TOKEN_LENGTH = 2048;

/** Content types of task results. A new kind of task adds its type here. */
const RESULT_TYPES = [
  'application/json',
  'application/sarif+json',
  'application/xml',
  'application/vnd.cyclonedx+json',
  'application/vnd.cyclonedx+xml',
  'text/csv',
] as const;

export const getTaskResult = operation({
  route: 'GET /api/tasks/v2/{taskTokenJwt}',
  summary: 'Get the result of a task',
  description:
    'For the caller who started the task, for one day; not found for anyone else. Once completed, `resultString` is ' +
    'a download link that anyone can use for 15 minutes; request the result again for a new link. If failed or ' +
    'terminated, it is the reason.',
  maturity: 'experimental',
  allow: 'self',
  path: { taskTokenJwt: z.string().min(1).max(MAX_TOKEN_LENGTH) },
  reply: {
    taskResult: TaskResult.optional(),
    taskGroupResult: z
      .object({
        status: TaskStatus,
        completedCount: count(),
        totalCount: count(),
        taskResults: z.array(TaskResult),
      })
      .optional(),
  },
  faults: [NOT_FOUND],
  transaction: 'manual',
});

export const downloadTaskResult = operation({
  route: 'GET /api/tasks/v1/downloads/{ticket}',
  summary: 'Download the result of a task',
  description: 'The link is part of the task result, needs no credential and is valid for 15 minutes.',
  maturity: 'experimental',
  allow: 'public',
  isExtension: true,
  path: { ticket: z.string().min(1).max(MAX_TOKEN_LENGTH) },
  reply: {},
  raw: { types: RESULT_TYPES },
  faults: [NOT_FOUND],
  transaction: 'manual',
});
