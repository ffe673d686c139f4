import { Button, Checkbox, Drawer, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { MODE_LABELS } from '#web/foundation/format/labels.ts';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { type BoardItem, type BoardLine, itemKey, RULE_MODES, type RuleMode } from './board-changes.ts';
import { BUILT_IN_RULESETS, ruleLibraryQuery } from './queries.ts';

interface LibraryPickerProps {
  isOpen: boolean;
  /** The current items of the ruleboard. */
  lines: readonly BoardLine[];
  onClose: () => void;
  onAdd: (items: readonly BoardItem[], mode: RuleMode) => void;
}

interface LibraryItem extends BoardItem {
  about: string;
}

const COLUMN_CHOICES = RULE_MODES.map((mode) => ({ value: mode, label: MODE_LABELS[mode] }));

/** Selects rules and rulesets to add, from the library or by path. */
export function LibraryPicker({ isOpen, onClose, ...rest }: LibraryPickerProps) {
  return (
    <Drawer opened={isOpen} onClose={onClose} title="Add rules" size="lg">
      <Picker {...rest} />
    </Drawer>
  );
}

function useLibraryItems(lines: readonly BoardLine[], text: string) {
  const library = useQuery(ruleLibraryQuery);
  const items = useMemo(() => {
    const present = new Set(lines.map(itemKey));
    const sets = BUILT_IN_RULESETS.map(
      (name): LibraryItem => ({ id: `p/${name}`, type: 'ruleset', about: 'All rules of this ruleset' }),
    );
    const rules = (library.data ?? []).map(
      ({ id, message, languages }): LibraryItem => ({ id, type: 'rule', about: `${languages.join(', ')}: ${message}` }),
    );
    return [...sets, ...rules].filter((item) => !present.has(itemKey(item)));
  }, [library.data, lines]);
  const words = text.toLowerCase().split(/\s+/);
  const found = items.filter(({ id, about }) => {
    const all = `${id} ${about}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  return { library, found };
}

function Picker({ lines, onAdd }: Pick<LibraryPickerProps, 'lines' | 'onAdd'>) {
  const [text, setText] = useState('');
  const [mode, setMode] = useState<RuleMode>('comment');
  const [chosen, setChosen] = useState<ReadonlyMap<string, BoardItem>>(new Map());
  const { library, found } = useLibraryItems(lines, text);
  const toggle = (item: BoardItem) => {
    const next = new Map(chosen);
    if (!next.delete(itemKey(item))) next.set(itemKey(item), { id: item.id, type: item.type });
    setChosen(next);
  };
  const path = text.trim();
  const isPath = /^[!-~]{3,256}$/.test(path) && !found.some(({ id }) => id === path);
  const custom: LibraryItem = { id: path, type: path.startsWith('p/') ? 'ruleset' : 'rule', about: 'By its path' };
  const items = isPath ? [custom, ...found] : found;
  return (
    <div className="policy-form">
      <TextInput
        label="Find"
        description="Search the library, or enter the path of a rule that you have published."
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {library.isPending && <LoadingRows rows={6} />}
      {library.error && <ProblemView error={library.error} onRetry={() => void library.refetch()} />}
      {library.data && items.length === 0 && <p role="status">No rule in the library matches.</p>}
      <ul className="library-list">
        {items.map((item) => (
          <li key={itemKey(item)}>
            <Checkbox
              label={item.id}
              description={item.about}
              checked={chosen.has(itemKey(item))}
              onChange={() => toggle(item)}
            />
          </li>
        ))}
      </ul>
      <div className="policy-buttons library-foot">
        <Select
          aria-label="Column"
          data={COLUMN_CHOICES}
          value={mode}
          allowDeselect={false}
          onChange={(value) => setMode((value ?? 'comment') as RuleMode)}
        />
        <Button disabled={chosen.size === 0} onClick={() => onAdd([...chosen.values()], mode)}>
          Add {chosen.size === 1 ? '1 rule' : `${chosen.size} rules`}
        </Button>
      </div>
    </div>
  );
}
