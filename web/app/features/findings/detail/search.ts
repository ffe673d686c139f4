import { enumParam, idParam, searchParser, textParam } from '#web/foundation/url/search-params.ts';
import { SORTS } from '../model/search.ts';

/** `q` and `sort` identify the list that the finding was opened from, for links to its neighbours. */
export const findingSearch = searchParser({
  tab: enumParam(['facts', 'flow', 'history', 'why']),
  step: idParam,
  q: textParam,
  sort: enumParam(SORTS),
});
