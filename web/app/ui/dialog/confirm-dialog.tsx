import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import './confirm-dialog.css';
import { ProblemView } from '../page/view-states.tsx';

interface ConfirmProps {
  title: string;
  /** What the button says: the deed itself, such as "Delete". */
  deed: string;
  isHarmless?: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** What will happen, in a sentence. */
  children: ReactNode;
}

/** Asks before something that cannot be taken back; what goes wrong is told in the same place. */
export function ConfirmDialog({ title, deed, isHarmless = false, onConfirm, onClose, children }: ConfirmProps) {
  const doing = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Dialog onClose={onClose} title={title}>
      <div className="confirm">
        <div>{children}</div>
        {doing.isError && <ProblemView error={doing.error} />}
        <div className="confirm-buttons">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color={isHarmless ? 'indigo' : 'red'} loading={doing.isPending} onClick={() => doing.mutate()}>
            {deed}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
