import { Button } from '@mantine/core';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import type { MailSettings } from './mail-edits.ts';

interface MailStateProps {
  settings: MailSettings;
  isBusy: boolean;
  onResume: () => void;
}

/** Where mail goes and when the next digest is due, or why nothing is sent. */
export function MailState({ settings, isBusy, onResume }: MailStateProps) {
  const { email, isMailOn, isSuspended, suspendedReason, nextDigestAt } = settings;
  return (
    <>
      <p>
        Mail goes to <strong>{email}</strong>. These settings are for this organization only.
        {isMailOn && !isSuspended && nextDigestAt !== undefined && (
          <>
            {' '}
            Next digest: <RelativeTime at={nextDigestAt} />, if there is news.
          </>
        )}
      </p>
      {!isMailOn && (
        <p className="settings-note" data-kind="warn">
          <strong>This server sends no mail.</strong> An operator has to set a mail server first. Your choices are
          stored and take effect then.
        </p>
      )}
      {isSuspended && (
        <div className="settings-note" data-kind="bad">
          <div className="settings-row">
            <span className="mail-suspended">
              <strong>Nothing is sent to your address</strong>, because the mail server refused it repeatedly
              {suspendedReason === '' ? '.' : `: ${suspendedReason}`} Make sure that your mailbox accepts mail.
            </span>
            <Button variant="default" size="xs" loading={isBusy} onClick={onResume}>
              Send again
            </Button>
          </div>
        </div>
      )}
    </>
  );
}
