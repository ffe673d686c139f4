import { useEffect, useState } from 'react';

/** What had the focus outside of dialogs last, for a dialog that takes the place of another. */
let lastOutside: Element | null = null;

function focusedNow(): (Element | null)[] {
  const active = document.activeElement;
  if (active?.closest('[role="dialog"]') === null && active !== document.body) lastOutside = active;
  return [active, lastOutside];
}

/** Gives the focus back when the component goes away: a library's dialog does so only when it is closed first. */
export function useRestoreFocus(): void {
  const [places] = useState(focusedNow);
  useEffect(
    () => () => {
      setTimeout(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body;
        const place = places.find((one) => one?.isConnected);
        if (isFree && place instanceof HTMLElement) place.focus({ preventScroll: true });
      });
    },
    [places],
  );
}
