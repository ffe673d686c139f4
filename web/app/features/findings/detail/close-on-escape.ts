import type { KeyboardEvent } from 'react';

const FIELDS = 'form,input,textarea,select,[contenteditable]';
const OPEN_MENUS = '[aria-haspopup][aria-expanded="true"]';

/** Closes a panel by Escape, unless that is for a menu, or for a form: then it leads back to the panel. */
export const closeOnEscape = (onClose: () => void) => (event: KeyboardEvent<HTMLElement>) => {
  const { target, currentTarget: panel } = event;
  if (event.key !== 'Escape' || event.defaultPrevented || !(target instanceof Element)) return;
  // Menus that belong to the panel stand elsewhere in the document.
  if (!panel.contains(target)) return;
  event.preventDefault();
  if (target.closest(OPEN_MENUS)) return;
  const field = target.closest(FIELDS);
  if (field && panel.contains(field)) panel.focus({ preventScroll: true });
  else onClose();
};
