import { useSyncExternalStore } from 'react';
import { currentSession } from '#web/foundation/api/session.ts';
import { type Assignee, NOBODY } from '../model/decision.ts';

type Pick = (assignee: Assignee) => void;

/** What the open dialog does with the person; shortcuts of lists and buttons of findings open the same dialog. */
let openPick: Pick | undefined;
const listeners = new Set<() => void>();

function setOpenPick(pick: Pick | undefined): void {
  openPick = pick;
  for (const listener of listeners) listener();
}

export const openAssignDialog = (pick: Pick): void => setOpenPick(pick);
export const closeAssignDialog = (): void => setOpenPick(undefined);

export const useOpenAssignDialog = (): Pick | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => openPick,
  );

/** The signed-in person. */
export function ownAssignee(): Assignee {
  const session = currentSession();
  return session.kind === 'signed-in' ? { id: session.user.id, name: session.user.name } : NOBODY;
}
