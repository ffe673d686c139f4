import { Problem } from '#web/foundation/api/problem.ts';
import { notify, notifyProblem } from '#web/foundation/notify/notify.ts';

const notCopied = () =>
  new Problem({
    title: 'Copy failed',
    status: 0,
    detail: 'The browser does not allow this page to use the clipboard.',
    code: 'NO_CLIPBOARD',
    requestId: '',
    hint: 'Select the text and copy it manually, or ask an administrator to serve the page over TLS.',
    errors: [],
  });

/** Fallback for pages served without TLS, where the Clipboard API does not exist. */
function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.focus({ preventScroll: true });
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isCopied;
}

/** Copies a text to the clipboard; throws a problem if the browser refuses. */
export async function copyToClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copyBySelection(text)) throw notCopied();
  }
}

/** Copies a text and shows a notification with the result. */
export const copyAndNotify = (text: string, what: string): Promise<void> =>
  copyToClipboard(text).then(() => notify(`${what} copied`), notifyProblem);
