import { enumParam, idParam, searchParser } from '#web/foundation/url/search-params.ts';

export const inboxSearch = searchParser({
  tab: enumParam(['review', 'assigned', 'approvals', 'expiring', 'failing', 'notices']),
  at: idParam,
});
