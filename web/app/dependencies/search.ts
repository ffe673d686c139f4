import { id, searchOf, text } from '#web/url/search.ts';

export const dependencySearch = searchOf({ q: text, project: id });
