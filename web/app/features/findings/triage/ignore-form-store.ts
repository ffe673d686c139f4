import { useSyncExternalStore } from 'react';

/** The finding whose ignore form is open: shortcuts of the list and buttons of the panel open the same form. */
let openFormId = '';
const listeners = new Set<() => void>();

function setOpenForm(issueId: string): void {
  openFormId = issueId;
  for (const listener of listeners) listener();
}

/** Opens the ignore form in the component that shows the finding. */
export const openIgnoreForm = (issueId: string): void => setOpenForm(issueId);
export const closeIgnoreForm = (): void => setOpenForm('');

export const useIsIgnoreFormOpen = (issueId: string): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => openFormId === issueId,
  );
