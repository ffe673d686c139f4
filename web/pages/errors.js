import { byId } from './dom.js';
import { wireSearch } from './search.js';

const clearSearch = wireSearch({ noun: 'codes', groups: '.errors' });

/** Shows the error code in the URL fragment, even if the search hides it. */
function revealTarget() {
  const row = byId(location.hash.slice(1));
  if (!row?.hidden) return;
  clearSearch();
  row.scrollIntoView();
}

addEventListener('hashchange', revealTarget);
revealTarget();
