import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { ProblemView } from '#web/parts/states.tsx';

interface ConfirmDeleteProps {
  isOpen: boolean;
  title: string;
  text: string;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

/** Asks once before something that has no way back. */
export function ConfirmDelete({ isOpen, title, text, onClose, onConfirm }: ConfirmDeleteProps) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const confirm = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await onConfirm();
    } catch (problem) {
      setError(problem);
    }
    setIsBusy(false);
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <p>{text}</p>
      {error !== undefined && <ProblemView error={error} />}
      <div className="policy-buttons">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep
        </Button>
        <Button color="red" loading={isBusy} onClick={() => void confirm()}>
          Delete
        </Button>
      </div>
    </Modal>
  );
}
