import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { tokens } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import type { ApiToken, CreatedToken } from './queries.ts';

const OVERLAPS = [
  { value: '0', label: 'at once' },
  { value: '3600', label: 'in an hour' },
  { value: '86400', label: 'in 24 hours' },
  { value: '604800', label: 'in 7 days' },
];

interface RotateTokenProps {
  token: ApiToken;
  onMade: (made: CreatedToken, note: string) => void;
  onClose: () => void;
}

/** Makes a second secret with the same rights; both work for a while, so that nothing stands still. */
export function RotateToken({ token, onMade, onClose }: RotateTokenProps) {
  const { id: deploymentId } = useOrg();
  const [overlap, setOverlap] = useState('86400');
  const rotate = async () => {
    const body = { overlapSeconds: Number(overlap) };
    const made = await tokens.rotateToken({ path: { deploymentId, tokenId: token.id }, body });
    const when = OVERLAPS.find(({ value }) => value === overlap)?.label ?? '';
    onMade(made, `The one that it replaces (…${token.suffix}) ends ${when}.`);
  };
  return (
    <ConfirmDialog
      title={`Replace the token ${token.name}?`}
      deed="Replace"
      isHarmless
      onConfirm={rotate}
      onClose={onClose}
    >
      <p>A new secret with the same rights is made. The old one goes on working until it ends.</p>
      <NativeSelect
        label="The old one ends"
        value={overlap}
        data={OVERLAPS}
        onChange={(event) => setOverlap(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
