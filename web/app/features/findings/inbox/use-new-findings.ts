import { useQueryClient } from '@tanstack/react-query';
import { useOrg } from '#web/foundation/session/org.ts';
import { useNewFindingCount } from '../model/use-new-finding-count.ts';
import { clearDone } from './done-ids.ts';
import { reviewQuery } from './queries.ts';

interface NewFindings {
  /** How many were found since the list was loaded. */
  count: number;
  show: () => void;
}

/** New findings are loaded on request only, so that rows do not move under the cursor. */
export function useNewFindings(): NewFindings {
  const { id } = useOrg();
  const queryClient = useQueryClient();
  const { count, clear } = useNewFindingCount();
  return {
    count,
    show: () => {
      clear();
      clearDone();
      void queryClient.resetQueries({ queryKey: reviewQuery(id).queryKey });
    },
  };
}
