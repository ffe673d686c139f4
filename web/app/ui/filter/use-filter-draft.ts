import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Query } from '#domain/query/ast.ts';
import { parseFilter } from '#domain/query/parse-filter.ts';
import type { FilterView } from './filter-view.ts';
import {
  applySuggestion,
  completionAtCursor,
  type FilterDraft,
  type FilterSuggestion,
  problemsAwayFromCursor,
} from './suggestions.ts';
import { useSuggestions } from './use-suggestions.ts';

interface Writing {
  view: FilterView;
  onCommit: (query: Query) => void;
}

/** A filter that is being written: what is offered and what is wrong, until it is committed. */
export function useFilterDraft({ view, onCommit }: Writing) {
  const [draft, setDraft] = useState<FilterDraft>({ text: view.text, cursor: view.text.length });
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [isTried, setIsTried] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const possible = useSuggestions(draft, isOpen);
  const offers = isOpen ? possible : [];
  const { problems, query } = parseFilter(draft.text);
  useEffect(() => {
    setDraft({ text: view.text, cursor: view.text.length });
    setIsTried(false);
  }, [view.text]);

  const edit = (next: FilterDraft) => {
    setDraft(next);
    setActive(-1);
    setIsTried(false);
    setIsOpen(true);
  };
  const moveTo = (next: FilterDraft) => {
    edit(next);
    input.current?.focus();
    requestAnimationFrame(() => input.current?.setSelectionRange(next.cursor, next.cursor));
  };
  const take = (offer: FilterSuggestion) => moveTo(applySuggestion(draft, completionAtCursor(draft), offer));
  const commit = () => {
    setIsTried(true);
    setIsOpen(false);
    if (problems.length > 0) return;
    onCommit(query);
    // The keys of the list work as soon as the filter is no longer typed in.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  const choose = (step: number) => {
    setIsOpen(true);
    setActive((before) => (Math.max(before, step > 0 ? -1 : 0) + step + possible.length) % possible.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const offer = offers[active];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && possible.length > 0) choose(step);
    else if ((event.key === 'Enter' || event.key === 'Tab') && offer) take(offer);
    else if (event.key === 'Enter') commit();
    else if (event.key === 'Escape' && offers.length > 0) setIsOpen(false);
    else if (event.key === 'Escape') input.current?.blur();
    else return;
    event.preventDefault();
  };
  const shown = isTried ? problems : problemsAwayFromCursor(problems, isOpen ? draft.cursor : -1);
  return { input, draft, setDraft, offers, active, setIsOpen, edit, moveTo, take, onKeyDown, problems: shown };
}
