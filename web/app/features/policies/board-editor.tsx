import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { UnsavedChangesGuard } from '#web/ui/dialog/unsaved-changes-guard.tsx';
import { EmptyState } from '#web/ui/page/view-states.tsx';
import {
  type BoardItem,
  type BoardRule,
  boardLines,
  changedLines,
  filterLines,
  NO_STAGED_CHANGES,
  type RuleMode,
  stageChange,
} from './board-changes.ts';
import { BoardTable } from './board-table.tsx';
import { LibraryPicker } from './library-picker.tsx';
import { type Ruleboard, ruleboardQuery } from './queries.ts';
import { ReviewChanges } from './review-changes.tsx';
import type { BoardSearch } from './search.ts';

const route = getRouteApi('/o/$slug/policies/ruleboards/$boardSlug');

interface BoardEditorProps {
  board: Ruleboard;
  rows: readonly BoardRule[];
  version: string;
  isReadOnly: boolean;
}

const countText = (count: number) => (count === 1 ? '1 change' : `${count} changes`);

/** Edits the rules of a ruleboard; changes are staged until they are reviewed and saved. */
export function BoardEditor({ board, rows, version, isReadOnly }: BoardEditorProps) {
  const org = useOrg();
  const { q = '', panel } = route.useSearch();
  const navigate = useNavigate({ from: '/o/$slug/policies/ruleboards/$boardSlug' });
  const queryClient = useQueryClient();
  const [staged, setStaged] = useState(NO_STAGED_CHANGES);
  const filter = useRef<HTMLInputElement>(null);
  const lines = useMemo(() => boardLines(rows, staged), [rows, staged]);
  const changed = changedLines(lines);
  const shown = useMemo(() => filterLines(lines, q), [lines, q]);
  useShortcuts({ filter: () => filter.current?.focus() });
  const show = (part: { [Name in keyof BoardSearch]?: BoardSearch[Name] | undefined }, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...part }) as BoardSearch, replace });
  const put = useCallback(
    (items: readonly BoardItem[], mode: RuleMode | undefined) =>
      setStaged((before) => items.reduce((next, item) => stageChange(next, rows, { item, mode }), before)),
    [rows],
  );
  const saved = async () => {
    setStaged(NO_STAGED_CHANGES);
    show({ panel: undefined }, true);
    await queryClient.invalidateQueries({ queryKey: ruleboardQuery(org.id, board.slug).queryKey });
  };
  return (
    <>
      <div className="board-bar no-print">
        <TextInput
          ref={filter}
          className="board-filter"
          aria-label="Filter rules"
          placeholder="Filter by path, or in:block"
          leftSection={<Search size={16} />}
          value={q}
          onChange={(event) => show({ q: event.currentTarget.value || undefined }, true)}
        />
        <span className="dimmed" role="status">
          {shown.length === lines.length ? `${lines.length} rules` : `${shown.length} of ${lines.length} rules`}
        </span>
        <Button
          variant="default"
          leftSection={<Plus size={16} />}
          disabled={isReadOnly}
          onClick={() => show({ panel: 'library' })}
        >
          Add rules
        </Button>
        <Button disabled={changed.length === 0} onClick={() => show({ panel: 'review' })}>
          Review {countText(changed.length)}
        </Button>
        {changed.length > 0 && (
          <Button variant="subtle" color="gray" onClick={() => setStaged(NO_STAGED_CHANGES)}>
            Discard
          </Button>
        )}
      </div>
      {lines.length === 0 ? (
        <EmptyState
          title="No rules on this ruleboard"
          why={
            board.isDefault
              ? 'Only the rules of other ruleboards run on their projects. Add rules from the library.'
              : 'It adds nothing to the default ruleboard. Add rules from the library.'
          }
        />
      ) : (
        <BoardTable product={board.product} lines={shown} isReadOnly={isReadOnly} onPut={put} />
      )}
      <LibraryPicker
        isOpen={panel === 'library' && !isReadOnly}
        lines={lines}
        onClose={() => show({ panel: undefined })}
        onAdd={(items, mode) => {
          put(items, mode);
          show({ panel: undefined });
        }}
      />
      {panel === 'review' && changed.length > 0 && (
        <ReviewChanges
          board={board}
          lines={changed}
          version={version}
          onClose={() => show({ panel: undefined })}
          onSaved={saved}
          onReload={() => void queryClient.invalidateQueries({ queryKey: ruleboardQuery(org.id, board.slug).queryKey })}
        />
      )}
      <UnsavedChangesGuard isOn={changed.length > 0} />
    </>
  );
}
