import { useEffect, useRef, useSyncExternalStore } from 'react';
import { ShortcutMatcher } from './shortcut-matcher.ts';
import { isSingleKey, type ShortcutName } from './shortcuts.ts';

type Handlers = Partial<Record<ShortcutName, (event: KeyboardEvent) => void>>;

interface Bound {
  names: readonly ShortcutName[];
  run: (name: ShortcutName, event: KeyboardEvent) => void;
}

/** What is bound now, by those who bound it: the sheet shows it. */
const bound = new Map<symbol, Bound>();
const listeners = new Set<() => void>();
let names: readonly ShortcutName[] = [];

function changed(): void {
  names = [...new Set([...bound.values()].flatMap((own) => own.names))];
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useActiveShortcuts = (): readonly ShortcutName[] => useSyncExternalStore(subscribe, () => names);

const SINGLE_KEYS = 'parapet-single-keys';
export const areSingleKeysEnabled = (): boolean => localStorage.getItem(SINGLE_KEYS) !== 'off';
export const setSingleKeysEnabled = (isOn: boolean): void => localStorage.setItem(SINGLE_KEYS, isOn ? 'on' : 'off');

/** The page lies under a dialog, which has lost the focus: nothing that cannot be seen may happen there. */
const isBehindDialog = () => document.querySelector('[role="dialog"][aria-modal="true"]:not([data-keys])') !== null;

const never = () => false;
const exceptEverywhere = (name: ShortcutName) => name !== 'palette' && name !== 'submit';
const isOpening = (name: ShortcutName) => name === 'open';

/** Which keys are not ours: somebody who types means letters, and Enter on a control is for the control. */
function meantForControl({ target }: KeyboardEvent): (name: ShortcutName) => boolean {
  if (!(target instanceof HTMLElement)) return never;
  const isTyping = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  const isChecking = target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type);
  if (isTyping && !isChecking) return exceptEverywhere;
  const isDialog = target.closest('[role="dialog"]:not([data-keys]),[role="menu"],[role="listbox"]') !== null;
  if (isDialog || isBehindDialog()) return exceptEverywhere;
  return target.closest('a,button,input,[role="button"],[role="tab"],summary') === null ? never : isOpening;
}

/** A key that is held down repeats itself, which is meant only where one moves. */
const isHeld = (event: KeyboardEvent) => event.repeat && !/^[jk]$/.test(event.key);

const reader = new ShortcutMatcher();

/** One listener for all, so that a key of one part does not cut short a sequence of another. */
function onKeyDown(event: KeyboardEvent): void {
  // Some fills of forms by the browser come as key presses without a key.
  if (!event.key || event.defaultPrevented || event.isComposing || isHeld(event)) return;
  const isOn = (name: ShortcutName) => !isSingleKey(name) || areSingleKeysEnabled();
  const isMeantForControl = meantForControl(event);
  const name = reader.match(
    event,
    names.filter((one) => isOn(one) && !isMeantForControl(one)),
  );
  const run = name && [...bound.values()].find((own) => own.names.includes(name))?.run;
  if (!run) return;
  event.preventDefault();
  run(name, event);
}

/** Binds keys of the table while the component is on screen; the newest handlers are always the ones that run. */
export function useShortcuts(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  const wanted = Object.keys(handlers).sort().join(' ');
  useEffect(() => {
    const own = wanted.split(' ').filter((name) => name !== '') as ShortcutName[];
    const key = Symbol(wanted);
    bound.set(key, { names: own, run: (name, event) => latest.current[name]?.(event) });
    window.addEventListener('keydown', onKeyDown);
    changed();
    return () => {
      bound.delete(key);
      if (bound.size === 0) window.removeEventListener('keydown', onKeyDown);
      changed();
    };
  }, [wanted]);
}
