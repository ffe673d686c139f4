import { useEffect, useRef, useSyncExternalStore } from 'react';
import { tinykeys } from 'tinykeys';
import { isSingleKey, KEYS, type KeyName } from './table.ts';

type Handlers = Partial<Record<KeyName, (event: KeyboardEvent) => void>>;

/** What is bound now, by those who bound it: the sheet shows it. */
const bound = new Map<symbol, readonly KeyName[]>();
const listeners = new Set<() => void>();
let names: readonly KeyName[] = [];

function changed(): void {
  names = [...new Set([...bound.values()].flat())];
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useBoundKeys = (): readonly KeyName[] => useSyncExternalStore(subscribe, () => names);

const SINGLE_KEYS = 'parapet-single-keys';
export const areSingleKeysOn = (): boolean => localStorage.getItem(SINGLE_KEYS) !== 'off';
export const setSingleKeys = (isOn: boolean): void => localStorage.setItem(SINGLE_KEYS, isOn ? 'on' : 'off');

/** Somebody who types means letters, and Enter on a control is for the control. */
function isMeantForControl(event: KeyboardEvent, name: KeyName): boolean {
  const target = event.target instanceof HTMLElement ? event.target : undefined;
  if (!target) return false;
  const isTyping = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  const isChecking = target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type);
  if (isTyping && !isChecking) return name !== 'palette' && name !== 'submit';
  const isDialog = target.closest('[role="dialog"]:not([data-keys]),[role="menu"],[role="listbox"]') !== null;
  if (isDialog) return name !== 'palette' && name !== 'submit';
  return name === 'open' && target.closest('a,button,[role="button"],[role="tab"],summary') !== null;
}

/** Binds keys of the table while the component is on screen; the newest handlers are always the ones that run. */
export function useKeys(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  const wanted = Object.keys(handlers).sort().join(' ');
  useEffect(() => {
    const mine = wanted.split(' ').filter((name) => name !== '') as KeyName[];
    const bindings = mine.map((name) => [
      KEYS[name].keys,
      (event: KeyboardEvent) => {
        if (event.defaultPrevented || isMeantForControl(event, name)) return;
        if (isSingleKey(name) && !areSingleKeysOn()) return;
        event.preventDefault();
        latest.current[name]?.(event);
      },
    ]);
    const stop = tinykeys(window, Object.fromEntries(bindings));
    const key = Symbol(wanted);
    bound.set(key, mine);
    changed();
    return () => {
      stop();
      bound.delete(key);
      changed();
    };
  }, [wanted]);
}
