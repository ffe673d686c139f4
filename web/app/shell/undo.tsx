import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Keycaps } from '#web/keys/keycaps.tsx';
import { sayProblem } from './say.ts';

const SHOWN_MS = 10_000;

type Undo = () => Promise<unknown>;

/** What `z` takes back: the last first, for as long as the page is open. */
const done: { id: string; undo: Undo }[] = [];

async function takeBack(id: string): Promise<void> {
  const index = done.findIndex((entry) => entry.id === id);
  const [entry] = index === -1 ? [] : done.splice(index, 1);
  if (!entry) return;
  notifications.hide(id);
  try {
    await entry.undo();
    notifications.show({ message: 'Undone', autoClose: 3000, withBorder: true });
  } catch (error) {
    sayProblem(error);
  }
}

/** Says what was done, with a way back: the button for a while, the key for as long as the page is open. */
export function sayWithUndo(message: string, undo: Undo): void {
  const id = crypto.randomUUID();
  done.push({ id, undo });
  notifications.show({
    id,
    autoClose: SHOWN_MS,
    withBorder: true,
    message: (
      <span className="undo-message">
        <span>{message}</span>
        <Button size="compact-sm" variant="default" onClick={() => void takeBack(id)}>
          Undo&nbsp;
          <Keycaps name="undo" />
        </Button>
      </span>
    ),
  });
}

export function undoLast(): void {
  const last = done.at(-1);
  if (last) void takeBack(last.id);
  else notifications.show({ message: 'There is nothing to undo on this page.', autoClose: 3000, withBorder: true });
}
