import { Problem } from './problem.ts';
import { tasks } from './services.ts';

const ASK_AGAIN_MS = 700;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

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

/** Waits for a task, then saves its file as the browser saves downloads. */
export async function downloadTask(taskTokenJwt: string): Promise<void> {
  for (;;) {
    const { taskResult } = await tasks.getTaskResult({ path: { taskTokenJwt } });
    const status = taskResult?.status;
    if (status === 'TASK_STATUS_FAILED' || status === 'TASK_STATUS_TERMINATED')
      throw failure(taskResult?.resultString ?? '');
    if (status === 'TASK_STATUS_COMPLETED') {
      const link = document.createElement('a');
      link.href = taskResult?.resultString ?? '';
      link.download = '';
      link.click();
      return;
    }
    await pause(ASK_AGAIN_MS);
  }
}
