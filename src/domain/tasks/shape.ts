import { fault } from '#kernel/contract/fault.ts';

/** For operations that start a task. */
export const TOO_MANY_TASKS = fault(
  'TOO_MANY_TASKS',
  409,
  'The deployment already has {most} tasks in progress.',
  'Wait until some of them have ended, then try again.',
);

/** What the examples of the API description show. */
export const exampleIds = { TaskToken: 'the-token-that-the-start-gave', TaskTicket: 'the-ticket-of-the-link' };
