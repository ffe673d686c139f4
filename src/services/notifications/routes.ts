import * as store from '#domain/notifications/store.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

/** NotificationsService: in-app notifications. */
export const notifications = group('NotificationsService', contract, {
  getNotifications: async ({ page, tx, caller }) => {
    const { items, cursor } = page.close(await store.list(tx, caller, page.window), ({ id }) => [id]);
    return { notifications: items, cursor };
  },

  markNotificationsAsSeen: async ({ body, tx, caller, answer }) => {
    const { notificationIds: ids } = body;
    await store.markSeen(tx, caller, ids);
    const marked = await store.listByIds(tx, caller, ids);
    const known = new Set<string>(marked.map(({ id }) => id));
    const errors = ids.flatMap((id, index) =>
      known.has(id)
        ? []
        : [{ pointer: `#/notificationIds/${index}`, code: 'UNKNOWN_REFERENCE', detail: `${id} is not known to you` }],
    );
    const [first] = errors;
    const count = errors.length === 1 ? '1 is' : `${errors.length} are`;
    if (first) throw contract.NOTIFICATION_UNKNOWN({ count, first: first.detail }, { errors });
    answer.recordEffect({ object: 'notification', after: ids });
    return { notifications: marked };
  },
});
