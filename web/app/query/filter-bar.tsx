import { ActionIcon } from '@mantine/core';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { parse } from '#domain/query/parse.ts';
import type { Query } from '#domain/query/structure.ts';
import { Keycaps } from '#web/keys/keycaps.tsx';
import { useKeys } from '#web/keys/use-keys.ts';
import { FilterChips } from './filter-chips.tsx';
import './filter-bar.css';
import { OfferList } from './offer-list.tsx';
import { completionOf, type Draft, type Offer, settledProblems, taken } from './offers.ts';
import { FilterProblems } from './problems.tsx';
import { useOffers } from './use-offers.ts';
import type { View } from './view.ts';

interface FilterBarProps {
  view: View;
  /** A filter that was understood, to be shown from now on. */
  onCommit: (query: Query) => void;
  /** Offers words of the grammar alone, where the numbers of findings say nothing. */
  isWordsOnly?: boolean;
}

/** The filter as text and as chips: two views of one string; nothing changes until it is committed. */
export function FilterBar({ view, onCommit, isWordsOnly = false }: FilterBarProps) {
  const [draft, setDraft] = useState<Draft>({ text: view.text, cursor: view.text.length });
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [isTried, setIsTried] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const offers = useOffers(draft, isOpen && !isWordsOnly);
  const { problems, query } = parse(draft.text);
  const shown = isTried ? problems : settledProblems(problems, isOpen ? draft.cursor : -1);
  useEffect(() => {
    setDraft({ text: view.text, cursor: view.text.length });
    setIsTried(false);
  }, [view.text]);
  useKeys({
    filter: () => {
      input.current?.focus();
      input.current?.select();
    },
  });

  const edit = (next: Draft) => {
    setDraft(next);
    setActive(-1);
    setIsTried(false);
    setIsOpen(true);
  };
  const moveTo = (next: Draft) => {
    edit(next);
    input.current?.focus();
    requestAnimationFrame(() => input.current?.setSelectionRange(next.cursor, next.cursor));
  };
  const take = (offer: Offer) => moveTo(taken(draft, completionOf(draft), offer));
  const commit = () => {
    setIsTried(true);
    setIsOpen(false);
    if (problems.length > 0) return;
    onCommit(query);
    // The keys of the list work as soon as the filter is no longer typed in.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const offer = isOpen ? offers[active] : undefined;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && offers.length > 0) {
      setIsOpen(true);
      setActive((before) => (before + step + offers.length + (before < 0 && step < 0 ? 1 : 0)) % offers.length);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && offer) take(offer);
    else if (event.key === 'Enter') commit();
    else if (event.key === 'Escape' && isOpen && offers.length > 0) setIsOpen(false);
    else if (event.key === 'Escape') input.current?.blur();
    else return;
    event.preventDefault();
  };
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
            aria-expanded={isOpen && offers.length > 0}
            aria-controls={list}
            aria-autocomplete="list"
            {...(isOpen && offers[active] ? { 'aria-activedescendant': `${list}-${active}` } : {})}
            aria-invalid={shown.length > 0}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="is:open severity:critical,high project:acme/*"
            value={draft.text}
            onChange={(event) =>
              edit({ text: event.currentTarget.value, cursor: event.currentTarget.selectionStart ?? 0 })
            }
            onSelect={(event) => {
              const cursor = event.currentTarget.selectionStart ?? 0;
              if (cursor !== draft.cursor) setDraft({ ...draft, cursor });
            }}
            onFocus={() => setIsOpen(true)}
            onBlur={() => setIsOpen(false)}
            onKeyDown={onKeyDown}
          />
          {draft.text === '' ? (
            <Keycaps name="filter" />
          ) : (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Clear the filter"
              onClick={() => moveTo({ text: '', cursor: 0 })}
            >
              <X size={16} />
            </ActionIcon>
          )}
        </div>
        <FilterProblems text={draft.text} problems={shown} onCorrect={moveTo} />
        <OfferList id={list} offers={isOpen ? offers : []} active={active} onTake={take} />
      </div>
      <FilterChips query={view.query} onCommit={onCommit} />
    </search>
  );
}
