import * as store from '#domain/tasks/store.ts';
import { downloadUrl, openTicket, type TaskPlace, ticketOf } from '#domain/tasks/ticket.ts';
import { verifyTaskToken } from '#domain/tasks/token.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { type Call, group } from '#kernel/http/group.ts';
import { Raw } from '#kernel/http/raw.ts';
import * as contract from './contract.ts';

const STATUS = {
  in_progress: 'TASK_STATUS_IN_PROGRESS',
  completed: 'TASK_STATUS_COMPLETED',
  failed: 'TASK_STATUS_FAILED',
  terminated: 'TASK_STATUS_TERMINATED',
} as const;

/** TasksService: how a task goes, and its result. */
export const tasks = group('TasksService', contract, {
  getTaskResult: async ({ path, caller, powers, now, consultIn }) => {
    const claims = await verifyTaskToken(powers.keys, path.taskTokenJwt, now);
    if (!claims || (caller.kind === 'token' && caller.deployment !== claims.deployment)) throw NOT_FOUND();
    const task = await consultIn(claims.deployment, (tx) => store.findOwn(tx, caller, claims));
    if (!task) throw NOT_FOUND();
    const link = () => downloadUrl(powers.baseUrl, ticketOf(powers.keys, claims, now));
    return {
      taskResult: { status: STATUS[task.status], resultString: task.status === 'completed' ? link() : task.reason },
    };
  },

  downloadTaskResult: async ({ path, powers, now, consultIn }) => {
    const place = openTicket(powers.keys, path.ticket, now);
    const file = place && (await consultIn(place.deployment, (tx) => store.findFile(tx, place)));
    if (!place || !file) throw NOT_FOUND();
    return new Raw({
      headers: {
        'content-type': file.content_type,
        'content-disposition': `attachment; filename="${file.file_name}"`,
      },
      body: piecesOf(place, consultIn),
    });
  },
});

/** Reads a piece only when the client has taken the one before. */
async function* piecesOf(place: TaskPlace, consultIn: Call['consultIn']): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const bytes = await consultIn(place.deployment, (tx) => store.findPiece(tx, place, number));
    if (!bytes) return;
    yield bytes;
  }
}
