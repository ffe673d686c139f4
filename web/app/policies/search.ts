import { searchOf, text } from '#web/url/search.ts';

export const boardSearch = searchOf({ q: text });
