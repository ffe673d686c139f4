import { type KeybindingPress, matchKeybindingPress, parseKeybinding } from 'tinykeys';
import { SHORTCUTS, type ShortcutName } from './shortcuts.ts';

/** Maximum time between two keys of a sequence. */
const MAX_SEQUENCE_GAP_MS = 1000;

/** The properties of a keyboard event that matching needs. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'timeStamp' | 'getModifierState'>;

interface PartialMatch {
  name: ShortcutName;
  rest: readonly KeybindingPress[];
}

const MODIFIERS = ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock'];

const matchesPress = (press: KeyPress, expected: KeybindingPress | undefined) =>
  expected !== undefined && matchKeybindingPress(press as KeyboardEvent, expected);

/** Matches key presses to shortcuts. A key that continues a sequence does not trigger its single-key shortcut. */
export class ShortcutMatcher {
  #partial: readonly PartialMatch[] = [];
  #lastAt = 0;

  /** Returns the shortcut that a key press completes, among the given names. */
  match(press: KeyPress, names: readonly ShortcutName[]): ShortcutName | undefined {
    if (MODIFIERS.includes(press.key)) return undefined;
    const isLate = press.timeStamp - this.#lastAt > MAX_SEQUENCE_GAP_MS;
    const partial = isLate ? [] : this.#partial.filter(({ name }) => names.includes(name));
    this.#lastAt = press.timeStamp;
    const started = names.map((name): PartialMatch => ({ name, rest: parseKeybinding(SHORTCUTS[name].keys) }));
    const continued = this.#step(press, partial);
    const next = continued.length > 0 ? continued : this.#step(press, started);
    const complete = next.find(({ rest }) => rest.length === 0);
    this.#partial = complete ? [] : next;
    return complete?.name;
  }

  #step(press: KeyPress, partial: readonly PartialMatch[]): PartialMatch[] {
    const matching = partial.filter(({ rest }) => matchesPress(press, rest[0]));
    return matching.map(({ name, rest }) => ({ name, rest: rest.slice(1) }));
  }
}
