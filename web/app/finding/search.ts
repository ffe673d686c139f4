import { id, oneOf, searchOf, text } from '#web/url/search.ts';

export const findingSearch = searchOf({ tab: oneOf(['facts', 'flow', 'history', 'why']), step: id, q: text });
