export const byId = (id) => document.getElementById(id);

/** Creates an element; children are text or elements, never HTML. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined));
  return element;
}

/** Adds a copy button to a code block. */
export function copyable(pre) {
  const button = make('button', { type: 'button', class: 'small', click: () => copy(pre, button) }, 'Copy');
  const box = make('div', { class: 'copyable' });
  pre.replaceWith(box);
  box.append(pre, button);
  // Scrollable content must be focusable by keyboard.
  pre.tabIndex = 0;
  return box;
}

async function copy(pre, button) {
  const isCopied = await navigator.clipboard?.writeText(pre.textContent).then(
    () => true,
    () => false,
  );
  // Pages on plain HTTP have no Clipboard API: select the text instead.
  if (!isCopied) getSelection().selectAllChildren(pre);
  button.textContent = isCopied ? 'Copied' : 'Selected';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}
