import { byId } from './dom.js';

/** Wires the search box: hides items that do not contain all words; `/` focuses it. */
export function wireSearch({ noun, groups }) {
  const box = byId('search');
  const items = [...document.querySelectorAll('[data-search]')];
  const counted = items.filter((item) => item.id !== '');

  function filter() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items) item.hidden = !words.every((word) => item.dataset.search.includes(word));
    for (const group of document.querySelectorAll(groups))
      group.hidden = !group.querySelector('[data-search]:not([hidden])');
    const found = counted.filter((item) => !item.hidden).length;
    const isWhole = found === counted.length;
    byId('count').textContent = isWhole ? `${found} ${noun}` : `${found} of ${counted.length} ${noun}`;
    byId('nothing')?.toggleAttribute('hidden', found > 0);
  }

  box.addEventListener('input', filter);
  addEventListener('keydown', (event) => {
    const isTyping = event.target.matches('input, select, textarea');
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      box.focus();
      box.select();
    }
    if (event.key === 'Enter' && event.target === box) {
      const first = counted.find((item) => !item.hidden);
      if (first) location.hash = first.id;
    }
  });
  // The browser may have restored the text after a reload.
  if (box.value !== '') filter();
  return () => {
    box.value = '';
    filter();
  };
}
