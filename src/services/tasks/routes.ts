import * as store from '#domain/tasks/store.ts';
import { downloadUrl, openTicket, ticketOf } from '#domain/tasks/ticket.ts';
import { verifyTaskToken } from '#domain/tasks/token.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { group } from '#kernel/http/group.ts';
import { Raw } from '#kernel/http/raw.ts';
import * as contract from './contract.ts';

const STATUS = {
  in_progress: 'TASK_STATUS_IN_PROGRESS',
  completed: 'TASK_STATUS_COMPLETED',
  failed: 'TASK_STATUS_FAILED',
  terminated: 'TASK_STATUS_TERMINATED',
} as const;

/** The pieces of a file, each read when the one before it was taken. */
async function* inTurn(next: (number: number) => Promise<Buffer | undefined>): AsyncGenerator<Uint8Array> {
  for (let number = 0, bytes = await next(0); bytes; bytes = await next(++number)) yield bytes;
}

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
    if (!place) throw NOT_FOUND();
    const file = await consultIn(place.deployment, (tx) => store.findFile(tx, place));
    if (!file) throw NOT_FOUND();
    const next = (number: number) => consultIn(place.deployment, (tx) => store.findPiece(tx, place, number));
    const headers = {
      'content-type': file.content_type,
      'content-disposition': `attachment; filename="${file.file_name}"`,
    };
    return new Raw({ headers, body: inTurn(next) });
  },
});
