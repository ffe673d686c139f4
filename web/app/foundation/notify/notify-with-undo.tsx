import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Keycaps } from '#web/foundation/keys/keycaps.tsx';
import { uniqueKey } from '#web/foundation/react/unique-key.ts';
import { notifyProblem } from './notify.ts';
import { type Undoable, UndoStack } from './undo-stack.ts';

const SHOWN_MS = 10_000;

/** What `z` takes back, for as long as the page is open. */
const done = new UndoStack();

async function takeBack(id: string): Promise<void> {
  notifications.hide(id);
  try {
    if (await done.undo(id)) notifications.show({ message: 'Undone', autoClose: 3000, withBorder: true });
  } catch (error) {
    notifyProblem(error);
  }
}

/** Says what was done, with a way back: the button for a while, the key for as long as the page is open. */
export function notifyWithUndo(message: string, undo: Undoable['undo']): void {
  const id = uniqueKey();
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
  const last = done.lastId;
  if (last !== undefined) void takeBack(last);
  else notifications.show({ message: 'There is nothing to undo on this page.', autoClose: 3000, withBorder: true });
}
