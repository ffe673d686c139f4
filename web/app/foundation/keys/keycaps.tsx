import { Kbd } from '@mantine/core';
import { keycapsOf, type ShortcutName } from './shortcuts.ts';

/** Shows the keys of a shortcut. */
export function Keycaps({ name }: { name: ShortcutName }) {
  return (
    <span className="keycaps">
      {keycapsOf(name).map((cap) => (
        <Kbd key={cap} size="xs">
          {cap}
        </Kbd>
      ))}
    </span>
  );
}
