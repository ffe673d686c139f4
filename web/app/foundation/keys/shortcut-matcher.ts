import { type KeybindingPress, matchKeybindingPress, parseKeybinding } from 'tinykeys';
import { SHORTCUTS, type ShortcutName } from './shortcuts.ts';

/** So long after a key, the next one no longer belongs to it. */
const TOGETHER_MS = 1000;

/** What is asked of a key press. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'timeStamp' | 'getModifierState'>;

interface Begun {
  name: ShortcutName;
  rest: readonly KeybindingPress[];
}

const MODIFIERS = ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock'];

const fits = (press: KeyPress, wanted: KeybindingPress | undefined) =>
  wanted !== undefined && matchKeybindingPress(press as KeyboardEvent, wanted);

/** Reads key presses into names of the table: a key that goes on with a sequence is no single key. */
export class ShortcutMatcher {
  #begun: readonly Begun[] = [];
  #lastAt = 0;

  /** The action that a press completes, of those that there are now. */
  match(press: KeyPress, names: readonly ShortcutName[]): ShortcutName | undefined {
    if (MODIFIERS.includes(press.key)) return undefined;
    const isLate = press.timeStamp - this.#lastAt > TOGETHER_MS;
    const begun = isLate ? [] : this.#begun.filter(({ name }) => names.includes(name));
    this.#lastAt = press.timeStamp;
    const fresh = names.map((name): Begun => ({ name, rest: parseKeybinding(SHORTCUTS[name].keys) }));
    const further = this.#step(press, begun);
    const next = further.length > 0 ? further : this.#step(press, fresh);
    const complete = next.find(({ rest }) => rest.length === 0);
    this.#begun = complete ? [] : next;
    return complete?.name;
  }

  #step(press: KeyPress, begun: readonly Begun[]): Begun[] {
    return begun.filter(({ rest }) => fits(press, rest[0])).map(({ name, rest }) => ({ name, rest: rest.slice(1) }));
  }
}
