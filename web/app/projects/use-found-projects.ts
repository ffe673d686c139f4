import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useOrg } from '#web/org/org.ts';
import { nothingFoundWords } from '#web/parts/nothing-found.ts';
import { stillNamed } from '#web/parts/still-named.ts';
import { findProjects } from './queries.ts';

/** Projects by a part of their names, found as one types. */
export function useFoundProjects(text: string) {
  const { id } = useOrg();
  const search = useDeferredValue(text.trim());
  const query = useQuery({
    queryKey: [id, 'projects-found', search],
    queryFn: ({ signal }) => findProjects(id, search, signal),
    placeholderData: keepPreviousData,
  });
  const all = query.data ?? [];
  const isLooking = query.isPlaceholderData || search !== text.trim();
  return { found: isLooking ? stillNamed(all, text) : all, nothingFound: nothingFoundWords(query) };
}
