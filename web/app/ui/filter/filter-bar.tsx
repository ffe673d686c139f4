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
  /** A filter that was understood, to be shown from now on. */
  onCommit: (query: Query) => void;
}

/** The filter as text and as chips: two views of one string; nothing changes until it is committed. */
export function FilterBar({ view, onCommit }: FilterBarProps) {
  const { input, draft, offers, active, problems, ...writing } = useFilterDraft({ view, onCommit });
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
            aria-expanded={offers.length > 0}
            aria-controls={list}
            aria-autocomplete="list"
            {...(offers[active] ? { 'aria-activedescendant': `${list}-${active}` } : {})}
            aria-invalid={problems.length > 0}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="is:open severity:critical,high project:acme/*"
            value={draft.text}
            onChange={({ currentTarget: { value, selectionStart } }) =>
              writing.edit({ text: value, cursor: selectionStart ?? 0 })
            }
            onSelect={({ currentTarget: { selectionStart } }) => {
              const cursor = selectionStart ?? 0;
              if (cursor !== draft.cursor) writing.setDraft({ ...draft, cursor });
            }}
            onFocus={() => writing.setIsOpen(true)}
            onBlur={() => writing.setIsOpen(false)}
            onKeyDown={writing.onKeyDown}
          />
          {draft.text === '' ? (
            <Keycaps name="filter" />
          ) : (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Clear the filter"
              onClick={() => writing.moveTo({ text: '', cursor: 0 })}
            >
              <X size={16} />
            </ActionIcon>
          )}
        </div>
        <FilterProblems text={draft.text} problems={problems} onCorrect={writing.moveTo} />
        <SuggestionList id={list} offers={offers} active={active} onTake={writing.take} />
      </div>
      <FilterChips query={view.query} onCommit={onCommit} />
    </search>
  );
}
