import { useSyncExternalStore } from 'react';

/** The finding whose form for ignoring is open: keys of lists and buttons of panels open the same one. */
let asked = '';
const listeners = new Set<() => void>();

function become(issueId: string): void {
  asked = issueId;
  for (const listener of listeners) listener();
}

/** Opens the form with reason, comment and end date in whatever shows the finding. */
export const openIgnoreForm = (issueId: string): void => become(issueId);
export const closeIgnoreForm = (): void => become('');

export const useIsIgnoreFormOpen = (issueId: string): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked === issueId,
  );
