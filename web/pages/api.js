import { byId, copyable } from './dom.js';
import { wireSearch } from './search.js';
import { fillTry } from './try.js';

const clearSearch = wireSearch({ noun: 'operations', groups: '.group, .contents-group' });

for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin;

/** Opens the operation in the URL fragment. */
function revealTarget() {
  const target = byId(decodeURIComponent(location.hash.slice(1)));
  if (!target?.matches('.operation, .group > h2')) return;
  if (target.closest('[hidden]')) clearSearch();
  if (target.matches('details')) target.open = true;
  target.scrollIntoView();
  target.querySelector('summary')?.focus({ preventScroll: true });
}

function onToggle({ target }) {
  if (!target.open) return;
  if (target.matches('.try')) void fillTry(target);
  if (target.matches('.operation')) for (const pre of target.querySelectorAll(':not(.copyable) > pre')) copyable(pre);
}

// The toggle event does not bubble, so listen in the capture phase.
document.addEventListener('toggle', onToggle, true);
document.addEventListener('click', ({ target }) => {
  const link = target.closest?.('a[href^="#"]');
  // A second click on the same link does not change the URL but must still scroll there.
  if (link && link.hash === location.hash) revealTarget();
});
addEventListener('hashchange', revealTarget);
for (const pre of document.querySelectorAll('main > pre[data-copy]')) copyable(pre);
revealTarget();
