import { id, searchOf, text } from '#web/url/search.ts';

export const settingsSearch = searchOf({ q: text, tab: text, person: id, project: id, preset: text, cursor: text });
