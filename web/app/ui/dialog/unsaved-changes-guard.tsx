import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Asks before edits are lost; another view of the same page is no way out of it. */
export function UnsavedChangesGuard({ isOn }: { isOn: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isOn && current.pathname !== next.pathname,
    enableBeforeUnload: () => isOn,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog title="Leave without saving?" deed="Leave" onConfirm={async () => proceed()} onClose={reset}>
      What you changed on this page is not saved.
    </ConfirmDialog>
  );
}
