import { delay } from './delay.ts';
import { Problem } from './problem.ts';
import { tasks } from './services.ts';

const POLL_INTERVAL_MS = 500;

const failure = (detail: string) =>
  new Problem({
    title: 'The file could not be created',
    status: 0,
    detail,
    code: 'TASK_FAILED',
    requestId: '',
    hint: 'Try again. If it keeps failing, contact an administrator.',
    errors: [],
  });

/** Download links are followed only if they point to this server. */
const isSameOrigin = (link: string) => new URL(link, location.href).origin === location.origin;

function save(link: string): void {
  if (!isSameOrigin(link)) throw failure('The download link points to another server, so it was not followed.');
  const anchor = document.createElement('a');
  anchor.href = link;
  anchor.download = '';
  anchor.click();
}

/** Waits for a task to complete, then downloads its file. */
export async function downloadTask(taskTokenJwt: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { taskResult } = await tasks.getTaskResult({ path: { taskTokenJwt } }, { signal });
    if (taskResult?.status === 'TASK_STATUS_COMPLETED') return save(taskResult.resultString);
    if (taskResult !== undefined && taskResult.status !== 'TASK_STATUS_IN_PROGRESS')
      throw failure(taskResult.resultString);
    await delay(POLL_INTERVAL_MS, signal);
    signal.throwIfAborted();
  }
}
