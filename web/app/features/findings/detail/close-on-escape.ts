import type { KeyboardEvent } from 'react';

const FIELDS = 'form,input,textarea,select,[contenteditable]';
const OPEN_MENUS = '[aria-haspopup][aria-expanded="true"]';

/** Closes a panel on Escape. In a menu Escape closes the menu; in a form it moves the focus to the panel. */
export const closeOnEscape = (onClose: () => void) => (event: KeyboardEvent<HTMLElement>) => {
  const { target, currentTarget: panel } = event;
  if (event.key !== 'Escape' || event.defaultPrevented || !(target instanceof Element)) return;
  // Menus of the panel are rendered elsewhere in the document.
  if (!panel.contains(target)) return;
  event.preventDefault();
  if (target.closest(OPEN_MENUS)) return;
  const field = target.closest(FIELDS);
  if (field && panel.contains(field)) panel.focus({ preventScroll: true });
  else onClose();
};
