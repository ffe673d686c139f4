import { delay } from './delay.ts';
import { Problem } from './problem.ts';
import { tasks } from './services.ts';

const ASK_AGAIN_MS = 500;

const failure = (detail: string) =>
  new Problem({
    title: 'The file could not be written',
    status: 0,
    detail,
    code: 'TASK_FAILED',
    requestId: '',
    hint: 'Try again; if it happens again, tell an administrator.',
    errors: [],
  });

/** Only an address of this server is gone to, whatever a reply says. */
const isOwn = (link: string) => new URL(link, location.href).origin === location.origin;

function save(link: string): void {
  if (!isOwn(link)) throw failure('The link to the file leads to another server, so it was not followed.');
  const anchor = document.createElement('a');
  anchor.href = link;
  anchor.download = '';
  anchor.click();
}

/** Waits for a task, then saves its file as the browser saves downloads. */
export async function downloadTask(taskTokenJwt: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { taskResult } = await tasks.getTaskResult({ path: { taskTokenJwt } }, { signal });
    if (taskResult?.status === 'TASK_STATUS_COMPLETED') return save(taskResult.resultString);
    if (taskResult !== undefined && taskResult.status !== 'TASK_STATUS_IN_PROGRESS')
      throw failure(taskResult.resultString);
    await delay(ASK_AGAIN_MS, signal);
    signal.throwIfAborted();
  }
}
