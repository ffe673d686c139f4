import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { tokens } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import type { ApiToken, CreatedToken } from './queries.ts';

const OVERLAPS = [
  { value: '0', label: 'immediately' },
  { value: '3600', label: 'in an hour' },
  { value: '86400', label: 'in 24 hours' },
  { value: '604800', label: 'in 7 days' },
];

interface RotateTokenProps {
  token: ApiToken;
  onCreated: (created: CreatedToken, note: string) => void;
  onClose: () => void;
}

/** Rotates a token: a new secret with the same access, and an overlap in which both work. */
export function RotateToken({ token, onCreated, onClose }: RotateTokenProps) {
  const { id: deploymentId } = useOrg();
  const [overlap, setOverlap] = useState('86400');
  const rotate = async () => {
    const body = { overlapSeconds: Number(overlap) };
    const created = await tokens.rotateToken({ path: { deploymentId, tokenId: token.id }, body });
    const when = OVERLAPS.find(({ value }) => value === overlap)?.label ?? '';
    onCreated(created, `The old token (…${token.suffix}) expires ${when}.`);
  };
  return (
    <ConfirmDialog
      title={`Rotate the token ${token.name}?`}
      actionLabel="Rotate"
      isHarmless
      onConfirm={rotate}
      onClose={onClose}
    >
      <p>Creates a new secret with the same access. The old token keeps working until it expires.</p>
      <NativeSelect
        label="The old token expires"
        value={overlap}
        data={OVERLAPS}
        onChange={(event) => setOverlap(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
