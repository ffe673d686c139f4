import { id, type Reader, searchOf, text } from '#web/url/search.ts';

/** The automation whose form is open, or a new one. */
const at: Reader<string> = (given) => (text(given) === 'new' ? 'new' : id(given));

export const automationSearch = searchOf({ at });
