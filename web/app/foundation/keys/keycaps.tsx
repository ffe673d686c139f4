import { Kbd } from '@mantine/core';
import { keycapsOf, type ShortcutName } from './shortcuts.ts';

/** The keys of an action, beside its name. */
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
