import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { findProjects } from '#web/foundation/api/project-queries.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { emptyResultMessage } from '#web/ui/picker/empty-result-message.ts';
import { filterByName } from '#web/ui/picker/filter-by-name.ts';

/** Finds projects by part of their names while typing. */
export function useProjectSearch(text: string) {
  const { id } = useOrg();
  const search = useDeferredValue(text.trim());
  const query = useQuery({
    queryKey: [id, 'projects-found', search],
    queryFn: ({ signal }) => findProjects(id, search, signal),
    placeholderData: keepPreviousData,
  });
  const all = query.data ?? [];
  const isLoading = query.isPlaceholderData || search !== text.trim();
  return { found: isLoading ? filterByName(all, text) : all, nothingFound: emptyResultMessage(query) };
}
