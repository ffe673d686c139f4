import { ActionIcon } from '@mantine/core';
import { Search, X } from 'lucide-react';
import { useId } from 'react';
import type { Query } from '#domain/query/ast.ts';
import { Keycaps } from '#web/foundation/keys/keycaps.tsx';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import './filter-bar.css';
import { FilterChips } from './filter-chips.tsx';
import { FilterProblems } from './filter-problems.tsx';
import type { FilterView } from './filter-view.ts';
import { SuggestionList } from './suggestion-list.tsx';
import { useFilterDraft } from './use-filter-draft.ts';

interface FilterBarProps {
  view: FilterView;
  /** Called with a valid filter to apply. */
  onCommit: (query: Query) => void;
}

/** The filter as text input and as chips; edits apply when they are committed. */
export function FilterBar({ view, onCommit }: FilterBarProps) {
  const { input, draft, suggestions, active, problems, ...actions } = useFilterDraft({ view, onCommit });
  const list = useId();
  useShortcuts({
    filter: () => {
      input.current?.focus();
      input.current?.select();
    },
  });
  return (
    <search className="filter-bar no-print">
      <div className="filter-bar-top">
        <div className="filter-bar-field">
          <Search size={16} aria-hidden="true" />
          <input
            ref={input}
            type="text"
            role="combobox"
            aria-label="Filter"
            aria-expanded={suggestions.length > 0}
            aria-controls={list}
            aria-autocomplete="list"
            {...(suggestions[active] ? { 'aria-activedescendant': `${list}-${active}` } : {})}
            aria-invalid={problems.length > 0}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="is:open severity:critical,high project:acme/*"
            value={draft.text}
            onChange={({ currentTarget: { value, selectionStart } }) =>
              actions.edit({ text: value, cursor: selectionStart ?? 0 })
            }
            onSelect={({ currentTarget: { selectionStart } }) => {
              const cursor = selectionStart ?? 0;
              if (cursor !== draft.cursor) actions.setDraft({ ...draft, cursor });
            }}
            onFocus={() => actions.setIsOpen(true)}
            onBlur={() => actions.setIsOpen(false)}
            onKeyDown={actions.onKeyDown}
          />
          {draft.text === '' ? (
            <Keycaps name="filter" />
          ) : (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Clear filter"
              onClick={() => actions.moveTo({ text: '', cursor: 0 })}
            >
              <X size={16} />
            </ActionIcon>
          )}
        </div>
        <FilterProblems text={draft.text} problems={problems} onCorrect={actions.moveTo} />
        <SuggestionList id={list} suggestions={suggestions} active={active} onSelect={actions.select} />
      </div>
      <FilterChips query={view.query} onCommit={onCommit} />
    </search>
  );
}
