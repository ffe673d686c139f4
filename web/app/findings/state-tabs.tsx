import { Link } from '@tanstack/react-router';
import { useOrg } from '#web/org/org.ts';
import { numberText } from '#web/parts/number-text.ts';
import { addressOf, inState, STATES, type StateWord, stateOf, type View } from '#web/query/view.ts';
import { changedSearch } from './search.ts';

export const STATE_NAMES: Record<StateWord, string> = {
  open: 'Open',
  reviewing: 'Reviewing',
  'to-fix': 'To fix',
  provisional: 'Provisional',
  ignored: 'Ignored',
  fixed: 'Fixed',
};

interface StateTabsProps {
  view: View;
  counts: Record<StateWord, number> | undefined;
}

/** The same filter in each state, with how many there are. */
export function StateTabs({ view, counts }: StateTabsProps) {
  const { slug } = useOrg();
  const current = stateOf(view.query);
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const tab = (word: StateWord | undefined, name: string, count: number | undefined) => {
    const q = addressOf(inState(view.query, word));
    return (
      <li key={name}>
        <Link
          to="/o/$slug/findings"
          params={{ slug }}
          search={(before: object) => changedSearch(before, { q, in: undefined, at: undefined })}
          activeOptions={{ includeSearch: true, exact: true }}
          className="findings-tab"
          resetScroll={false}
          {...{ 'aria-current': current === (word ?? 'any') ? 'page' : undefined }}
        >
          {name} <span className="findings-tab-count">{count === undefined ? '…' : numberText(count)}</span>
        </Link>
      </li>
    );
  };
  return (
    <nav aria-label="States" className="findings-tabs no-print">
      <ul>
        {STATES.map((word) => tab(word, STATE_NAMES[word], counts?.[word]))}
        {tab(undefined, 'All', all)}
      </ul>
    </nav>
  );
}
