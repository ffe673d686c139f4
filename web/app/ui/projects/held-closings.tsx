import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { scans } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ConfirmDialog } from '../dialog/confirm-dialog.tsx';
import { PermissionGate } from '../page/permission-gate.tsx';

interface HeldClosingsProps {
  scanId: string;
  count: number;
  /** Names the scan for people who hear only the buttons. */
  label: string;
}

const countOf = (count: number) => (count === 1 ? '1 finding' : `${count} findings`);

/** Confirms or rejects the closings that a scan held because it reported suspiciously little. */
export function HeldClosingsButtons({ scanId, count, label }: HeldClosingsProps) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const [decision, setDecision] = useState<'confirm' | 'reject'>();
  const close = () => setDecision(undefined);
  const input = { path: { deploymentId: org.id, scanId } };
  const confirm = async () => {
    const reply = await scans.confirmHeldClosings(input);
    notify(`${countOf(Number(reply.count))} closed.`);
    await queryClient.invalidateQueries({ queryKey: [org.id] });
  };
  const reject = async () => {
    const reply = await scans.rejectHeldClosings(input);
    notify(`${countOf(Number(reply.count))} kept open.`);
    await queryClient.invalidateQueries({ queryKey: [org.id] });
  };
  return (
    <>
      <PermissionGate permission="issue:triage">
        {(isDisabled) => (
          <Button.Group>
            <Button
              size="compact-sm"
              variant="default"
              disabled={isDisabled}
              aria-label={`Close the findings: ${label}`}
              onClick={() => setDecision('confirm')}
            >
              Close {countOf(count)}…
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              disabled={isDisabled}
              aria-label={`Keep the findings open: ${label}`}
              onClick={() => setDecision('reject')}
            >
              Keep open…
            </Button>
          </Button.Group>
        )}
      </PermissionGate>
      {decision === 'confirm' && (
        <ConfirmDialog
          title={`Close ${countOf(count)}?`}
          actionLabel="Close findings"
          onConfirm={confirm}
          onClose={close}
        >
          Scan {scanId} did not report them, and the report is right. If the scan is undone, they are opened again.
        </ConfirmDialog>
      )}
      {decision === 'reject' && (
        <ConfirmDialog
          title={`Keep ${countOf(count)} open?`}
          actionLabel="Keep open"
          isHarmless
          onConfirm={reject}
          onClose={close}
        >
          The report of scan {scanId} is incomplete. The next full scan that does not report them is examined again.
        </ConfirmDialog>
      )}
    </>
  );
}
