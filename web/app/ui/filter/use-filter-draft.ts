import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
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

interface FilterDraftOptions {
  view: FilterView;
  onCommit: (query: Query) => void;
}

/** State of the filter input: text, suggestions and problems, until the filter is committed. */
export function useFilterDraft({ view, onCommit }: FilterDraftOptions) {
  const [draft, setDraft] = useState<FilterDraft>({ text: view.text, cursor: view.text.length });
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const available = useSuggestions(draft, isOpen);
  const suggestions = isOpen ? available : [];
  const { problems, query } = parseFilter(draft.text);
  useEffect(() => {
    setDraft({ text: view.text, cursor: view.text.length });
    setIsSubmitted(false);
  }, [view.text]);

  const edit = (next: FilterDraft) => {
    setDraft(next);
    setActive(-1);
    setIsSubmitted(false);
    setIsOpen(true);
  };
  const moveTo = (next: FilterDraft) => {
    // At once: whatever is typed next belongs at the cursor.
    flushSync(() => edit(next));
    input.current?.focus();
    input.current?.setSelectionRange(next.cursor, next.cursor);
  };
  const select = (suggestion: FilterSuggestion) =>
    moveTo(applySuggestion(draft, completionAtCursor(draft), suggestion));
  const commit = () => {
    setIsSubmitted(true);
    setIsOpen(false);
    if (problems.length > 0) return;
    onCommit(query);
    // Move the focus out of the input, so that the shortcuts of the list work.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  const moveActive = (step: number) => {
    setIsOpen(true);
    setActive((before) => (Math.max(before, step > 0 ? -1 : 0) + step + available.length) % available.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const suggestion = suggestions[active];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && available.length > 0) moveActive(step);
    else if ((event.key === 'Enter' || event.key === 'Tab') && suggestion) select(suggestion);
    else if (event.key === 'Enter') commit();
    else if (event.key === 'Escape' && suggestions.length > 0) setIsOpen(false);
    else if (event.key === 'Escape') input.current?.blur();
    else return;
    event.preventDefault();
  };
  const shown = isSubmitted ? problems : problemsAwayFromCursor(problems, isOpen ? draft.cursor : -1);
  return { input, draft, setDraft, suggestions, active, setIsOpen, edit, moveTo, select, onKeyDown, problems: shown };
}
