import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { parse } from '#domain/query/parse.ts';
import { filterHelp } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { numberText } from '#web/parts/number-text.ts';
import { Empty, LoadingRows } from '#web/parts/states.tsx';
import { DEFAULT_Q, EVERYTHING, type View } from '#web/query/view.ts';
import { uploadCommand } from '#web/upload/command.ts';
import { anyQuery } from './any-query.ts';
import type { Place } from './place.ts';

function NothingYet() {
  const { slug } = useOrg();
  return (
    <Empty
      title="No findings yet"
      why="Nothing has been handed in. Drop a scanner’s report on this page, or send it from a terminal."
      action={
        <p>
          <Link to="/o/$slug/start" params={{ slug }}>
            Getting started
          </Link>
        </p>
      }
      command={uploadCommand(slug, 'acme/web')}
    />
  );
}

function AllDone() {
  const { slug } = useOrg();
  return (
    <section className="state">
      <CircleCheck size={40} className="findings-done" aria-hidden="true" />
      <h2>All done</h2>
      <p className="dimmed">Nothing is open. New findings will show up here by themselves.</p>
      <Link to="/o/$slug/findings" params={{ slug }} search={{ q: EVERYTHING }}>
        Show findings of every state
      </Link>
    </section>
  );
}

/** Which term emptied the list, and what there would be without it. */
function NoMatch({ view, filter }: { view: View; filter: Place['filter'] }) {
  const { id: deployment, slug } = useOrg();
  const { data } = useQuery({
    queryKey: [deployment, 'filter-help', 'drops', view.q],
    queryFn: ({ signal }) => filterHelp.helpWithFilter({ path: { deployment }, query: { q: view.q } }, { signal }),
  });
  const drops = data?.drops ?? [];
  return (
    <Empty
      title="Nothing matches the filter"
      why={drops.length > 0 ? 'One of its terms leaves nothing over:' : 'No finding has all of its terms.'}
      action={
        <>
          <ul className="findings-drops">
            {drops.map(({ term, q, matches }) => (
              <li key={term}>
                <button type="button" onClick={() => filter(parse(q).query)}>
                  Drop <code>{term}</code> → {matches >= 1000 ? 'more than 1,000' : numberText(matches)}{' '}
                  {matches === 1 ? 'result' : 'results'}
                </button>
              </li>
            ))}
          </ul>
          <Link to="/o/$slug/findings" params={{ slug }}>
            Back to what is open
          </Link>
        </>
      }
    />
  );
}

/** Why the list is empty: nothing was handed in, nothing is left to do, or a term excludes everything. */
export function EmptyList({ view, filter }: { view: View; filter: Place['filter'] }) {
  const { id: deploymentId } = useOrg();
  const { data: isAny, isPending } = useQuery(anyQuery(deploymentId));
  if (isPending) return <LoadingRows rows={3} />;
  if (isAny === false) return <NothingYet />;
  return view.q === DEFAULT_Q ? <AllDone /> : <NoMatch view={view} filter={filter} />;
}
