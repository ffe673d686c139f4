import { id, searchOf } from '#web/url/search.ts';

export const automationSearch = searchOf({ at: id });
