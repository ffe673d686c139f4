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

const LONGEST_TOKEN = 2048;

/** What results of tasks are; a kind of task with another type adds it here. */
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
    'For the caller who started the task, for a day; for everybody else it does not exist. Once completed, ' +
    '`resultString` is a link that gives the result to whoever has it, for 15 minutes; ask again for a new one. ' +
    'When failed or terminated, it is the reason.',
  maturity: 'experimental',
  allow: 'self',
  path: { taskTokenJwt: z.string().min(1).max(LONGEST_TOKEN) },
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
  isOutbound: true,
});

export const downloadTaskResult = operation({
  route: 'GET /api/tasks/v1/downloads/{ticket}',
  summary: 'Download the result of a task',
  description: 'The link is in the result of the task; it holds all that is needed, and is good for 15 minutes.',
  maturity: 'experimental',
  allow: 'public',
  isExtension: true,
  path: { ticket: z.string().min(1).max(LONGEST_TOKEN) },
  reply: {},
  rawTypes: RESULT_TYPES,
  faults: [NOT_FOUND],
  isOutbound: true,
});
