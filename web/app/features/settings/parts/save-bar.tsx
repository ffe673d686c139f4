import { Button } from '@mantine/core';

interface SaveBarProps {
  changes: number;
  deed: string;
  isBusy?: boolean;
  onDiscard: () => void;
  onSave: () => void;
}

/** Edits that are not saved yet, always in sight. */
export function SaveBar({ changes, deed, isBusy = false, onDiscard, onSave }: SaveBarProps) {
  return (
    <div className="settings-bar no-print">
      <p role="status">{changes === 1 ? '1 change' : `${changes} changes`}, not saved yet.</p>
      <Button variant="default" onClick={onDiscard}>
        Discard
      </Button>
      <Button loading={isBusy} onClick={onSave}>
        {deed}
      </Button>
    </div>
  );
}
