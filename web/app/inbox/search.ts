import { id, oneOf, searchOf } from '#web/url/search.ts';

export const inboxSearch = searchOf({ tab: oneOf(['review', 'approvals', 'expiring', 'failing']), at: id });
