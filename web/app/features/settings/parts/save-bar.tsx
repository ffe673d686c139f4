import { Button } from '@mantine/core';

interface SaveBarProps {
  changes: number;
  actionLabel: string;
  isBusy?: boolean;
  onDiscard: () => void;
  onSave: () => void;
}

/** A sticky bar with the number of unsaved changes. */
export function SaveBar({ changes, actionLabel, isBusy = false, onDiscard, onSave }: SaveBarProps) {
  return (
    <div className="settings-save-bar no-print">
      <p role="status">{changes === 1 ? '1 change' : `${changes} changes`}, not saved yet.</p>
      <Button variant="default" onClick={onDiscard}>
        Discard
      </Button>
      <Button loading={isBusy} onClick={onSave}>
        {actionLabel}
      </Button>
    </div>
  );
}
