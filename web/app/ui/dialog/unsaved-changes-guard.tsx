import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Asks before navigation discards edits. Search parameters of the same page may change freely. */
export function UnsavedChangesGuard({ isOn }: { isOn: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isOn && current.pathname !== next.pathname,
    enableBeforeUnload: () => isOn,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog title="Leave without saving?" actionLabel="Leave" onConfirm={async () => proceed()} onClose={reset}>
      Your changes on this page will be lost.
    </ConfirmDialog>
  );
}
