import { searchOf, text } from '#web/url/search.ts';

export const overviewSearch = searchOf({ since: text, until: text, q: text });
