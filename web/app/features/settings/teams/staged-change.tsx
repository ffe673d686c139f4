import { ActionIcon, Tooltip } from '@mantine/core';
import { Minus, Pencil, Plus, Undo2, X } from 'lucide-react';

export type RowChange = 'added' | 'removed' | 'changed' | 'same';

/** More rows than this help nobody: a filter narrows them. */
export const MAX_ROWS_SHOWN = 200;

const WORDS = { added: ['will be added', Plus, 'good'], removed: ['will be removed', Minus, 'bad'] } as const;

/** What is staged for a row: by shape and word, not by colour alone. */
export function StagedChange({ kind }: { kind: RowChange }) {
  if (kind === 'same') return null;
  const [word, Icon, colour] = kind === 'changed' ? (['role will change', Pencil, 'warn'] as const) : WORDS[kind];
  return (
    <span className="settings-word" data-kind={colour}>
      <Icon size={14} aria-hidden="true" /> {word}
    </span>
  );
}

interface KeepOrRemoveProps {
  kind: RowChange;
  name: string;
  onClick: () => void;
}

/** Stages that a row goes, or that it stays after all. */
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

/** What the filter leaves out, or that it leaves nothing. */
export function RowCountNote({ rows, shown }: { rows: number; shown: number }) {
  if (rows > 0 && shown === 0) return <p className="dimmed">Nothing matches the filter.</p>;
  return shown > MAX_ROWS_SHOWN && <p className="dimmed">{shown - MAX_ROWS_SHOWN} more: narrow them by the filter.</p>;
}
