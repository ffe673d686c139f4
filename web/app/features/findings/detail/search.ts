import { SORTS } from '#web/features/findings/model/search.ts';
import { enumParam, idParam, searchParser, textParam } from '#web/foundation/url/search-params.ts';

/** `q` and `sort` name the list that the finding was opened from: the next and the one before come from it. */
export const findingSearch = searchParser({
  tab: enumParam(['facts', 'flow', 'history', 'why']),
  step: idParam,
  q: textParam,
  sort: enumParam(SORTS),
});
