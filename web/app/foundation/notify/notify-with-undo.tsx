import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Keycaps } from '#web/foundation/keys/keycaps.tsx';
import { uniqueKey } from '#web/foundation/react/unique-key.ts';
import { notifyProblem } from './notify.ts';
import { type Undoable, UndoStack } from './undo-stack.ts';

const SHOWN_MS = 10_000;

/** The actions that `z` can undo until the page is closed. */
const undoStack = new UndoStack();

async function undoById(id: string): Promise<void> {
  notifications.hide(id);
  try {
    if (await undoStack.undo(id)) notifications.show({ message: 'Undone', autoClose: 3000, withBorder: true });
  } catch (error) {
    notifyProblem(error);
  }
}

/** Shows a notification with an Undo button; the shortcut keeps working after the notification is gone. */
export function notifyWithUndo(message: string, undo: Undoable['undo']): void {
  const id = uniqueKey();
  undoStack.push({ id, undo });
  notifications.show({
    id,
    autoClose: SHOWN_MS,
    withBorder: true,
    message: (
      <span className="undo-message">
        <span>{message}</span>
        <Button size="compact-sm" variant="default" onClick={() => void undoById(id)}>
          Undo&nbsp;
          <Keycaps name="undo" />
        </Button>
      </span>
    ),
  });
}

export function undoLast(): void {
  const last = undoStack.lastId;
  if (last !== undefined) void undoById(last);
  else notifications.show({ message: 'There is nothing to undo on this page.', autoClose: 3000, withBorder: true });
}
