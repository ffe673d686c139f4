import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheckBig, UploadCloud } from 'lucide-react';
import type { ReactNode } from 'react';
import { hasFindingsQuery } from '#web/features/findings/model/has-findings-query.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { EmptyState } from '#web/ui/page/view-states.tsx';
import { importCommand } from '#web/ui/upload/import-command.ts';
import { failingQuery } from './queries.ts';

/** Nothing is left: a quiet tick, and the way on. */
export function AllDone({ title, why }: { title: string; why: ReactNode }) {
  return (
    <div className="inbox-empty">
      <CircleCheckBig size={44} aria-hidden="true" className="inbox-tick" />
      <EmptyState title={title} why={why} />
    </div>
  );
}

/** Nothing waits: either all is done, or nothing was ever handed in. */
export function EmptyInbox() {
  const org = useOrg();
  const { data: isAny } = useQuery(hasFindingsQuery(org.id));
  if (isAny === false) return <NothingYet />;
  return <AllDone title="Nothing is waiting on you" why={<WhereElse />} />;
}

function NothingYet() {
  const { slug } = useOrg();
  return (
    <div className="inbox-empty">
      <UploadCloud size={44} aria-hidden="true" className="inbox-tick" />
      <EmptyState
        title="No scan has reported yet"
        why="Findings of your scanners land here to be looked at. Drop a report anywhere on this page, or hand one in:"
        command={importCommand(slug, 'acme/web')}
        action={
          <p>
            <Link to="/o/$slug/start" params={{ slug }}>
              Getting started
            </Link>
          </p>
        }
      />
    </div>
  );
}

function WhereElse() {
  const { id, slug } = useOrg();
  const { data } = useQuery(failingQuery(id));
  const silent = data?.projects.length ?? 0;
  return (
    <>
      {silent > 0 && (
        <>
          <Link to="/o/$slug/inbox" params={{ slug }} search={{ tab: 'failing' }}>
            {silent === 1 ? '1 project has' : `${silent} projects have`} not reported for 30 days →
          </Link>{' '}
        </>
      )}
      <Link to="/o/$slug/findings" params={{ slug }} search={{ q: 'is:open' }}>
        See all open findings →
      </Link>
    </>
  );
}
