import { notifications } from '@mantine/notifications';
import { asProblem } from '#web/foundation/api/problem.ts';

const PROBLEM_SHOWN_MS = 10_000;

/** Shows a short notification, which screen readers announce. */
export const notify = (message: string): void =>
  void notifications.show({ message, autoClose: 4000, withBorder: true });

/** Shows a problem as a notification: what failed and what to do about it. */
export function notifyProblem(error: unknown): void {
  const { title, detail, hint, requestId } = asProblem(error).body;
  notifications.show({
    title,
    message: [detail, hint, requestId === '' ? '' : `Request ${requestId}`].filter((text) => text !== '').join(' '),
    color: 'red',
    autoClose: PROBLEM_SHOWN_MS,
    withBorder: true,
  });
}
