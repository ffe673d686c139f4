import { Kbd } from '@mantine/core';
import { type KeyName, keycapsOf } from './table.ts';

/** The keys of an action, beside its name. */
export function Keycaps({ name }: { name: KeyName }) {
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
