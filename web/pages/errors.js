import { byId } from './dom.js';
import { wireSearch } from './search.js';

const clearSearch = wireSearch({ noun: 'codes', groups: '.errors' });

/** A code that was asked for is shown, even when the search hid it. */
function reach() {
  const row = byId(location.hash.slice(1));
  if (!row?.hidden) return;
  clearSearch();
  row.scrollIntoView();
}

addEventListener('hashchange', reach);
reach();
