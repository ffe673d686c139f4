import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useKeys } from '#web/keys/use-keys.ts';
import { useOrg } from '#web/org/org.ts';
import { LeaveGuard } from '#web/parts/leave-guard.tsx';
import { Empty } from '#web/parts/states.tsx';
import { BoardTable } from './board-table.tsx';
import { LibraryPicker } from './library-picker.tsx';
import { type Board, boardQuery } from './queries.ts';
import { ReviewChanges } from './review-changes.tsx';
import type { BoardSearch } from './search.ts';
import { changedLines, type Item, linesOf, type Mode, matching, NOTHING_STAGED, type Row, stage } from './staged.ts';

const route = getRouteApi('/o/$slug/policies/ruleboards/$boardSlug');

interface BoardEditorProps {
  board: Board;
  rows: readonly Row[];
  version: string;
  isReadOnly: boolean;
}

const countText = (count: number) => (count === 1 ? '1 change' : `${count} changes`);

/** The rules of a board; what one changes is collected until it is reviewed and sent. */
export function BoardEditor({ board, rows, version, isReadOnly }: BoardEditorProps) {
  const org = useOrg();
  const { q = '', panel } = route.useSearch();
  const navigate = useNavigate({ from: '/o/$slug/policies/ruleboards/$boardSlug' });
  const queryClient = useQueryClient();
  const [staged, setStaged] = useState(NOTHING_STAGED);
  const filter = useRef<HTMLInputElement>(null);
  const lines = useMemo(() => linesOf(rows, staged), [rows, staged]);
  const changed = changedLines(lines);
  const shown = useMemo(() => matching(lines, q), [lines, q]);
  useKeys({ filter: () => filter.current?.focus() });
  const show = (part: { [Name in keyof BoardSearch]?: BoardSearch[Name] | undefined }, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...part }) as BoardSearch, replace });
  const put = useCallback(
    (items: readonly Item[], mode: Mode | undefined) =>
      setStaged((before) => items.reduce((next, item) => stage(next, rows, { item, mode }), before)),
    [rows],
  );
  const saved = async () => {
    setStaged(NOTHING_STAGED);
    show({ panel: undefined }, true);
    await queryClient.invalidateQueries({ queryKey: boardQuery(org.id, board.slug).queryKey });
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
          <Button variant="subtle" color="gray" onClick={() => setStaged(NOTHING_STAGED)}>
            Drop them
          </Button>
        )}
      </div>
      {lines.length === 0 ? (
        <Empty
          title="No rules on this board"
          why="Nothing is looked for in its projects. Add rules from the library."
        />
      ) : (
        <BoardTable lines={shown} isReadOnly={isReadOnly} onPut={put} />
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
          onReload={() => void queryClient.invalidateQueries({ queryKey: boardQuery(org.id, board.slug).queryKey })}
        />
      )}
      <LeaveGuard isOn={changed.length > 0} />
    </>
  );
}
