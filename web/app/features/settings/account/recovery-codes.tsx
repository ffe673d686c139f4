import { Button } from '@mantine/core';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';

/** Shows recovery codes once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <div className="settings-form">
      <p className="settings-note" data-kind="warn">
        Keep these codes. Each signs you in once if you lose your phone. They are shown only now.
      </p>
      <ul className="account-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="settings-form-actions">
        <CopyText text={codes.join('\n')} label="recovery codes" isHidden />
        <Button onClick={onClose}>I have kept them</Button>
      </div>
    </div>
  );
}
