import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import './confirm-dialog.css';
import { ProblemView } from '../page/view-states.tsx';

interface ConfirmDialogProps {
  title: string;
  /** Label of the confirm button, such as "Delete". */
  actionLabel: string;
  /** Where "Cancel" could be taken for the action. */
  cancelLabel?: string;
  isHarmless?: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** Describes what will happen. */
  children: ReactNode;
}

/** Asks for confirmation, runs the action and shows its error in the same dialog. */
export function ConfirmDialog({
  title,
  actionLabel,
  cancelLabel = 'Cancel',
  isHarmless = false,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const confirmation = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Dialog onClose={onClose} title={title}>
      <div className="confirm">
        <div>{children}</div>
        {confirmation.isError && <ProblemView error={confirmation.error} />}
        <div className="confirm-buttons">
          <Button variant="default" onClick={onClose} data-autofocus>
            {cancelLabel}
          </Button>
          <Button
            color={isHarmless ? 'indigo' : 'red'}
            loading={confirmation.isPending}
            onClick={() => confirmation.mutate()}
          >
            {actionLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
