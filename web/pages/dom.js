export const byId = (id) => document.getElementById(id);

/** Makes an element; what is put into it is text or an element, never markup. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined));
  return element;
}

/** Puts a button beside a block of text that copies it. */
export function copyable(pre) {
  const button = make('button', { type: 'button', class: 'small', click: () => copy(pre, button) }, 'Copy');
  const box = make('div', { class: 'copyable' });
  pre.replaceWith(box);
  box.append(pre, button);
  // What scrolls must be reachable by keyboard.
  pre.tabIndex = 0;
  return box;
}

async function copy(pre, button) {
  const isCopied = await navigator.clipboard?.writeText(pre.textContent).then(
    () => true,
    () => false,
  );
  // Browsers give no clipboard to pages on plain HTTP: there the text is selected, ready for the keyboard.
  if (!isCopied) getSelection().selectAllChildren(pre);
  button.textContent = isCopied ? 'Copied' : 'Selected';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}
