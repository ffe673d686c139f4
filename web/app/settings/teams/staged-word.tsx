import { Minus, Pencil, Plus } from 'lucide-react';

export type StagedKind = 'added' | 'removed' | 'changed' | 'same';

/** More rows than this help nobody: a filter narrows them. */
export const MOST_SHOWN = 200;

const WORDS = { added: ['will be added', Plus, 'good'], removed: ['will be removed', Minus, 'bad'] } as const;

/** What is staged for a row: by shape and word, not by colour alone. */
export function StagedWord({ kind }: { kind: StagedKind }) {
  if (kind === 'same') return null;
  const [word, Icon, colour] = kind === 'changed' ? (['role will change', Pencil, 'warn'] as const) : WORDS[kind];
  return (
    <span className="settings-word" data-kind={colour}>
      <Icon size={14} aria-hidden="true" /> {word}
    </span>
  );
}
