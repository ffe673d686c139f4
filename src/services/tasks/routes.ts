import { downloadUrl, issueDownloadTicket, type TaskRef, verifyDownloadTicket } from '#domain/tasks/download-ticket.ts';
import * as store from '#domain/tasks/store.ts';
import { verifyTaskToken } from '#domain/tasks/task-token.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { RawReply } from '#kernel/http/pipeline/raw-reply.ts';
import * as contract from './contract.ts';

const STATUS = {
  in_progress: 'TASK_STATUS_IN_PROGRESS',
  completed: 'TASK_STATUS_COMPLETED',
  failed: 'TASK_STATUS_FAILED',
  terminated: 'TASK_STATUS_TERMINATED',
} as const;

/** TasksService: the status and result of tasks. */
export const tasks = group('TasksService', contract, {
  getTaskResult: async ({ path, caller, services, now, readIn }) => {
    const claims = await verifyTaskToken(services.keys, path.taskTokenJwt, now);
    if (!claims || (caller.kind === 'token' && caller.deployment !== claims.deployment)) throw NOT_FOUND();
    const task = await readIn(claims.deployment, (tx) => store.findOwn(tx, caller, claims));
    if (!task) throw NOT_FOUND();
    const link = () => downloadUrl(services.baseUrl, issueDownloadTicket(services.keys, claims, now));
    return {
      taskResult: { status: STATUS[task.status], resultString: task.status === 'completed' ? link() : task.reason },
    };
  },

  downloadTaskResult: async ({ path, services, now, readIn }) => {
    const place = verifyDownloadTicket(services.keys, path.ticket, now);
    const file = place && (await readIn(place.deployment, (tx) => store.findFile(tx, place)));
    if (!place || !file) throw NOT_FOUND();
    return new RawReply({
      headers: {
        'content-type': file.content_type,
        'content-disposition': `attachment; filename="${file.file_name}"`,
      },
      body: piecesOf(place, readIn),
    });
  },
});

/** Reads a chunk only after the client has consumed the previous one. */
async function* piecesOf(place: TaskRef, consultIn: Call['readIn']): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const bytes = await consultIn(place.deployment, (tx) => store.findChunk(tx, place, number));
    if (!bytes) return;
    yield bytes;
  }
}
