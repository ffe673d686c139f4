import { useEffect, useState } from 'react';

/** The last focused element outside of dialogs, for a dialog that replaces another one. */
let lastOutside: Element | null = null;

function focusedNow(): (Element | null)[] {
  const active = document.activeElement;
  if (active?.closest('[role="dialog"]') === null && active !== document.body) lastOutside = active;
  return [active, lastOutside];
}

/** Restores the focus on unmount. Mantine does so only if the dialog is closed before it unmounts. */
export function useRestoreFocus(): void {
  const [candidates] = useState(focusedNow);
  useEffect(
    () => () => {
      setTimeout(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body;
        const target = candidates.find((element) => element?.isConnected);
        if (isFree && target instanceof HTMLElement) target.focus({ preventScroll: true });
      });
    },
    [candidates],
  );
}
