import { Button, Checkbox, Drawer, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { MODE_LABELS } from '#web/foundation/format/labels.ts';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { type BoardItem, type BoardLine, itemKey, RULE_MODES, type RuleMode } from './board-changes.ts';
import { BUILT_IN_RULESETS, ruleLibraryQuery } from './queries.ts';

interface LibraryPickerProps {
  isOpen: boolean;
  /** What is on the board already. */
  lines: readonly BoardLine[];
  onClose: () => void;
  onAdd: (items: readonly BoardItem[], mode: RuleMode) => void;
}

interface Offer extends BoardItem {
  about: string;
}

const COLUMN_CHOICES = RULE_MODES.map((mode) => ({ value: mode, label: MODE_LABELS[mode] }));

/** Rules and rulesets that could be added: those of the library, or one by its path. */
export function LibraryPicker({ isOpen, onClose, ...rest }: LibraryPickerProps) {
  return (
    <Drawer opened={isOpen} onClose={onClose} title="Add rules" size="lg">
      <Picker {...rest} />
    </Drawer>
  );
}

function useOffers(lines: readonly BoardLine[], text: string) {
  const library = useQuery(ruleLibraryQuery);
  const offers = useMemo(() => {
    const present = new Set(lines.map(itemKey));
    const sets = BUILT_IN_RULESETS.map(
      (name): Offer => ({ id: `p/${name}`, type: 'ruleset', about: 'All rules of this set' }),
    );
    const rules = (library.data ?? []).map(
      ({ id, message, languages }): Offer => ({ id, type: 'rule', about: `${languages.join(', ')}: ${message}` }),
    );
    return [...sets, ...rules].filter((offer) => !present.has(itemKey(offer)));
  }, [library.data, lines]);
  const words = text.toLowerCase().split(/\s+/);
  const found = offers.filter(({ id, about }) => {
    const all = `${id} ${about}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  return { library, found };
}

function Picker({ lines, onAdd }: Pick<LibraryPickerProps, 'lines' | 'onAdd'>) {
  const [text, setText] = useState('');
  const [mode, setMode] = useState<RuleMode>('comment');
  const [chosen, setChosen] = useState<ReadonlyMap<string, BoardItem>>(new Map());
  const { library, found } = useOffers(lines, text);
  const toggle = (item: BoardItem) => {
    const next = new Map(chosen);
    if (!next.delete(itemKey(item))) next.set(itemKey(item), { id: item.id, type: item.type });
    setChosen(next);
  };
  const path = text.trim();
  const isPath = /^[!-~]{3,256}$/.test(path) && !found.some(({ id }) => id === path);
  const own: Offer = { id: path, type: path.startsWith('p/') ? 'ruleset' : 'rule', about: 'By its path' };
  const offers = isPath ? [own, ...found] : found;
  return (
    <div className="policy-form">
      <TextInput
        label="Find"
        description="In the library, or the path of a rule that you have published."
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {library.isPending && <LoadingRows rows={6} />}
      {library.error && <ProblemView error={library.error} onRetry={() => void library.refetch()} />}
      {library.data && offers.length === 0 && <p role="status">Nothing in the library has these words.</p>}
      <ul className="library-list">
        {offers.map((offer) => (
          <li key={itemKey(offer)}>
            <Checkbox
              label={offer.id}
              description={offer.about}
              checked={chosen.has(itemKey(offer))}
              onChange={() => toggle(offer)}
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
