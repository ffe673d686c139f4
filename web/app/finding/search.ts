import { SORTS } from '#web/findings/search.ts';
import { id, oneOf, searchOf, text } from '#web/url/search.ts';

/** `q` and `sort` name the list that the finding was opened from: the next and the one before come from it. */
export const findingSearch = searchOf({
  tab: oneOf(['facts', 'flow', 'history', 'why']),
  step: id,
  q: text,
  sort: oneOf(SORTS),
});
