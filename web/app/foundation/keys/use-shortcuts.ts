import { useEffect, useRef, useSyncExternalStore } from 'react';
import { ShortcutMatcher } from './shortcut-matcher.ts';
import { isSingleKey, type ShortcutName } from './shortcuts.ts';

type Handlers = Partial<Record<ShortcutName, (event: KeyboardEvent) => void>>;

interface Binding {
  names: readonly ShortcutName[];
  run: (name: ShortcutName, event: KeyboardEvent) => void;
}

/** The active bindings of all mounted components; the shortcut dialog lists them. */
const bindings = new Map<symbol, Binding>();
const listeners = new Set<() => void>();
let names: readonly ShortcutName[] = [];

function updateNames(): void {
  names = [...new Set([...bindings.values()].flatMap((binding) => binding.names))];
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useActiveShortcuts = (): readonly ShortcutName[] => useSyncExternalStore(subscribe, () => names);

const SINGLE_KEYS_STORAGE = 'parapet-single-keys';
export const areSingleKeysEnabled = (): boolean => localStorage.getItem(SINGLE_KEYS_STORAGE) !== 'off';
export const setSingleKeysEnabled = (isOn: boolean): void =>
  localStorage.setItem(SINGLE_KEYS_STORAGE, isOn ? 'on' : 'off');

/** Whether a modal dialog covers the page: shortcuts must not change what the user cannot see. */
const isBehindDialog = () => document.querySelector('[role="dialog"][aria-modal="true"]:not([data-keys])') !== null;

const never = () => false;
const isNotGlobal = (name: ShortcutName) => name !== 'palette' && name !== 'submit';
const isOpening = (name: ShortcutName) => name === 'open';

/** Shortcuts that the focused control takes precedence over: letters while typing, Enter on a control. */
function meantForControl({ target }: KeyboardEvent): (name: ShortcutName) => boolean {
  if (!(target instanceof HTMLElement)) return never;
  const isTyping = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  const isChecking = target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type);
  if (isTyping && !isChecking) return isNotGlobal;
  const isDialog = target.closest('[role="dialog"]:not([data-keys]),[role="menu"],[role="listbox"]') !== null;
  if (isDialog || isBehindDialog()) return isNotGlobal;
  return target.closest('a,button,input,[role="button"],[role="tab"],summary') === null ? never : isOpening;
}

/** Ignores key repeat except for the keys that move through a list. */
const isUnwantedRepeat = (event: KeyboardEvent) => event.repeat && !/^[jk]$/.test(event.key);

const matcher = new ShortcutMatcher();

/** One listener for all bindings, so that a shortcut of one component cannot interrupt a sequence of another. */
function onKeyDown(event: KeyboardEvent): void {
  // Browsers dispatch some form autofills as key events without a key.
  if (!event.key || event.defaultPrevented || event.isComposing || isUnwantedRepeat(event)) return;
  const isEnabled = (name: ShortcutName) => !isSingleKey(name) || areSingleKeysEnabled();
  const isMeantForControl = meantForControl(event);
  const name = matcher.match(
    event,
    names.filter((candidate) => isEnabled(candidate) && !isMeantForControl(candidate)),
  );
  const run = name && [...bindings.values()].find((binding) => binding.names.includes(name))?.run;
  if (!run) return;
  event.preventDefault();
  run(name, event);
}

/** Binds shortcuts while the component is mounted. The latest handlers are always called. */
export function useShortcuts(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  const boundNames = Object.keys(handlers).sort().join(' ');
  useEffect(() => {
    const ownNames = boundNames.split(' ').filter((name) => name !== '') as ShortcutName[];
    const key = Symbol(boundNames);
    bindings.set(key, { names: ownNames, run: (name, event) => latest.current[name]?.(event) });
    window.addEventListener('keydown', onKeyDown);
    updateNames();
    return () => {
      bindings.delete(key);
      if (bindings.size === 0) window.removeEventListener('keydown', onKeyDown);
      updateNames();
    };
  }, [boundNames]);
}
