import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { parse } from '#domain/query/parse.ts';
import type { Query } from '#domain/query/structure.ts';
import { completionOf, type Draft, type Offer, settledProblems, taken } from './offers.ts';
import { useOffers } from './use-offers.ts';
import type { View } from './view.ts';

interface Writing {
  view: View;
  onCommit: (query: Query) => void;
}

/** A filter that is being written: what is offered and what is wrong, until it is committed. */
export function useDraft({ view, onCommit }: Writing) {
  const [draft, setDraft] = useState<Draft>({ text: view.text, cursor: view.text.length });
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [isTried, setIsTried] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const possible = useOffers(draft, isOpen);
  const offers = isOpen ? possible : [];
  const { problems, query } = parse(draft.text);
  useEffect(() => {
    setDraft({ text: view.text, cursor: view.text.length });
    setIsTried(false);
  }, [view.text]);

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
  const shown = isTried ? problems : settledProblems(problems, isOpen ? draft.cursor : -1);
  return { input, draft, setDraft, offers, active, setIsOpen, edit, moveTo, take, onKeyDown, problems: shown };
}
