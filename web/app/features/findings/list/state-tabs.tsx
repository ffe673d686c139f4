import { Link } from '@tanstack/react-router';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import {
  FILTER_STATES,
  type FilterState,
  type FilterView,
  filterParam,
  filterStateOf,
  withState,
} from '#web/ui/filter/filter-view.ts';
import { updateSearch } from '../model/search.ts';

const STATE_NAMES: Record<FilterState, string> = {
  open: 'Open',
  reviewing: 'Reviewing',
  'to-fix': 'To fix',
  provisional: 'Provisional',
  ignored: 'Ignored',
  fixed: 'Fixed',
};

interface StateTabsProps {
  view: FilterView;
  counts: Record<FilterState, number> | undefined;
}

/** Links to the same filter in each state, with counts. */
export function StateTabs({ view, counts }: StateTabsProps) {
  const { slug } = useOrg();
  const current = filterStateOf(view.query);
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const tab = (word: FilterState | undefined, name: string, count: number | undefined) => {
    const q = filterParam(withState(view.query, word));
    return (
      <li key={name}>
        <Link
          to="/o/$slug/findings"
          params={{ slug }}
          search={(before: object) => updateSearch(before, { q, in: undefined, at: undefined })}
          activeOptions={{ includeSearch: true, exact: true }}
          className="findings-tab"
          resetScroll={false}
          {...{ 'aria-current': current === (word ?? 'any') ? 'page' : undefined }}
        >
          {name} <span className="findings-tab-count">{count === undefined ? '…' : formatNumber(count)}</span>
        </Link>
      </li>
    );
  };
  return (
    <nav aria-label="States" className="findings-tabs no-print">
      <ul>
        {FILTER_STATES.map((word) => tab(word, STATE_NAMES[word], counts?.[word]))}
        {tab(undefined, 'All', all)}
      </ul>
    </nav>
  );
}
