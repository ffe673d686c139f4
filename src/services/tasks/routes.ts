import * as store from '#domain/tasks/store.ts';
import { downloadUrl, openTicket, ticketOf } from '#domain/tasks/ticket.ts';
import { verifyTaskToken } from '#domain/tasks/token.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { group, Raw } from '#kernel/http/group.ts';
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

  downloadTaskResult: async ({ path, powers, now, consultIn, answer }) => {
    const place = openTicket(powers.keys, path.ticket, now);
    if (!place) throw NOT_FOUND();
    return consultIn(place.deployment, async (tx) => {
      const file = await store.findFile(tx, place);
      if (!file) throw NOT_FOUND();
      const pieces: Buffer[] = [];
      for (let number = 0; ; number++) {
        const bytes = await store.findPiece(tx, place, number);
        if (!bytes) break;
        pieces.push(bytes);
      }
      answer.headers['content-disposition'] = `attachment; filename="${file.file_name}"`;
      return new Raw(file.content_type, Buffer.concat(pieces).toString('utf8'));
    });
  },
});
