import { ActionIcon, Tooltip } from '@mantine/core';
import { Minus, Pencil, Plus, Undo2, X } from 'lucide-react';

export type RowChange = 'added' | 'removed' | 'changed' | 'same';

/** Long lists are cut here; the filter narrows them. */
export const MAX_ROWS_SHOWN = 200;

const LABELS = { added: ['will be added', Plus, 'good'], removed: ['will be removed', Minus, 'bad'] } as const;

/** The unsaved change of a row as icon and label. */
export function StagedChange({ kind }: { kind: RowChange }) {
  if (kind === 'same') return null;
  const [word, Icon, colour] = kind === 'changed' ? (['role will change', Pencil, 'warn'] as const) : LABELS[kind];
  return (
    <span className="settings-status" data-kind={colour}>
      <Icon size={14} aria-hidden="true" /> {word}
    </span>
  );
}

interface KeepOrRemoveProps {
  kind: RowChange;
  name: string;
  onClick: () => void;
}

/** Stages the removal of a row, or reverts it. */
export function KeepOrRemove({ kind, name, onClick }: KeepOrRemoveProps) {
  const label = `${kind === 'removed' ? 'Keep' : 'Remove'} ${name}`;
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        {kind === 'removed' ? <Undo2 size={16} /> : <X size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}

/** Says that nothing matches the filter, or how many rows are not shown. */
export function RowCountNote({ rows, shown }: { rows: number; shown: number }) {
  if (rows > 0 && shown === 0) return <p className="dimmed">Nothing matches the filter.</p>;
  return (
    shown > MAX_ROWS_SHOWN && (
      <p className="dimmed">{shown - MAX_ROWS_SHOWN} more. Use the filter to narrow the list.</p>
    )
  );
}
