import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { parseFilter } from '#domain/query/parse-filter.ts';
import { filterHelp } from '#web/foundation/api/services.ts';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ALL_STATES_Q, DEFAULT_Q, type FilterView } from '#web/ui/filter/filter-view.ts';
import { EmptyState, LoadingRows } from '#web/ui/page/view-states.tsx';
import { importCommand } from '#web/ui/upload/import-command.ts';
import { hasFindingsQuery } from '../model/has-findings-query.ts';
import type { FindingsListView } from './use-list-view.ts';

function NoFindings() {
  const { slug } = useOrg();
  return (
    <EmptyState
      title="No findings yet"
      why="No report has been uploaded. Drop a scanner’s report on this page, or upload it from a terminal."
      action={
        <p>
          <Link to="/o/$slug/start" params={{ slug }}>
            Getting started
          </Link>
        </p>
      }
      command={importCommand(slug, 'acme/web')}
    />
  );
}

function NoneOpen() {
  const { slug } = useOrg();
  return (
    <section className="state">
      <CircleCheck size={40} className="findings-done" aria-hidden="true" />
      <h2>All done</h2>
      <p className="dimmed">No finding is open. New findings appear here automatically.</p>
      <Link to="/o/$slug/findings" params={{ slug }} search={{ q: ALL_STATES_Q }}>
        Show findings of every state
      </Link>
    </section>
  );
}

/** Offers to drop each term that excludes everything, with the number of results without it. */
function NoMatch({ view, filter }: { view: FilterView; filter: FindingsListView['filter'] }) {
  const { id: deployment, slug } = useOrg();
  const { data } = useQuery({
    queryKey: [deployment, 'filter-help', 'drops', view.q],
    queryFn: ({ signal }) => filterHelp.helpWithFilter({ path: { deployment }, query: { q: view.q } }, { signal }),
  });
  const drops = data?.drops ?? [];
  return (
    <EmptyState
      title="Nothing matches the filter"
      why={drops.length > 0 ? 'One of its terms excludes everything:' : 'No finding matches all of its terms.'}
      action={
        <>
          <ul className="findings-drops">
            {drops.map(({ term, q, matches }) => (
              <li key={term}>
                <button type="button" onClick={() => filter(parseFilter(q).query)}>
                  Drop <code>{term}</code> → {matches >= 1000 ? 'more than 1,000' : formatNumber(matches)}{' '}
                  {matches === 1 ? 'result' : 'results'}
                </button>
              </li>
            ))}
          </ul>
          <Link to="/o/$slug/findings" params={{ slug }}>
            Back to open findings
          </Link>
        </>
      }
    />
  );
}

/** Says why the list is empty: there are no findings at all, none is open, or the filter excludes all. */
export function EmptyList({ view, filter }: { view: FilterView; filter: FindingsListView['filter'] }) {
  const { id: deploymentId } = useOrg();
  const { data: hasFindings, isPending } = useQuery(hasFindingsQuery(deploymentId));
  if (isPending) return <LoadingRows rows={3} />;
  if (hasFindings === false) return <NoFindings />;
  return view.q === DEFAULT_Q ? <NoneOpen /> : <NoMatch view={view} filter={filter} />;
}
