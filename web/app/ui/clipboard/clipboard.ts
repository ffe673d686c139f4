import { Problem } from '#web/foundation/api/problem.ts';
import { notify, notifyProblem } from '#web/foundation/notify/notify.ts';

const notCopied = () =>
  new Problem({
    title: 'Not copied',
    status: 0,
    detail: 'The browser does not let this page copy.',
    code: 'NO_CLIPBOARD',
    requestId: '',
    hint: 'Select the text and copy it yourself, or ask an administrator to serve the page over TLS.',
    errors: [],
  });

/** The way that also works where a page came without TLS: there a browser offers no clipboard to it. */
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

/** Puts a text on the clipboard, or throws a problem that says that the browser forbids it. */
export async function copyToClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copyBySelection(text)) throw notCopied();
  }
}

/** Copies a text, and says what was copied or why it was not. */
export const copyAndNotify = (text: string, what: string): Promise<void> =>
  copyToClipboard(text).then(() => notify(`${what} copied`), notifyProblem);
