import { notifications } from '@mantine/notifications';
import { asProblem } from '#web/foundation/api/problem.ts';

const SHOWN_MS = 10_000;

/** A short word about what was done; it is also read out. */
export const notify = (message: string): void =>
  void notifications.show({ message, autoClose: 4000, withBorder: true });

/** What went wrong with something that was asked for, with what to do. */
export function notifyProblem(error: unknown): void {
  const { title, detail, hint, requestId } = asProblem(error).body;
  notifications.show({
    title,
    message: [detail, hint, requestId === '' ? '' : `Request ${requestId}`].filter((text) => text !== '').join(' '),
    color: 'red',
    autoClose: SHOWN_MS,
    withBorder: true,
  });
}
