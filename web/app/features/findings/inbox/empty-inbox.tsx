import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheckBig, UploadCloud } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { EmptyState } from '#web/ui/page/view-states.tsx';
import { importCommand } from '#web/ui/upload/import-command.ts';
import { hasFindingsQuery } from '../model/has-findings-query.ts';
import { failingQuery } from './queries.ts';

/** An empty tab: everything is done. */
export function AllDone({ title, why }: { title: string; why: ReactNode }) {
  return (
    <div className="inbox-empty">
      <CircleCheckBig size={44} aria-hidden="true" className="inbox-tick" />
      <EmptyState title={title} why={why} />
    </div>
  );
}

/** The empty review tab: either all is done, or there are no findings at all. */
export function EmptyInbox() {
  const org = useOrg();
  const { data: hasFindings } = useQuery(hasFindingsQuery(org.id));
  if (hasFindings === false) return <NoFindings />;
  return <AllDone title="Nothing is waiting on you" why={<OtherWork />} />;
}

function NoFindings() {
  const { slug } = useOrg();
  return (
    <div className="inbox-empty">
      <UploadCloud size={44} aria-hidden="true" className="inbox-tick" />
      <EmptyState
        title="No scan results yet"
        why="New findings appear here for review. Drop a report anywhere on this page, or upload one:"
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

function OtherWork() {
  const { id, slug } = useOrg();
  const { data } = useQuery(failingQuery(id));
  const unscanned = data?.projects.length ?? 0;
  return (
    <>
      {unscanned > 0 && (
        <>
          <Link to="/o/$slug/inbox" params={{ slug }} search={{ tab: 'failing' }}>
            {unscanned === 1 ? '1 project has' : `${unscanned} projects have`} not been scanned for 30 days →
          </Link>{' '}
        </>
      )}
      <Link to="/o/$slug/findings" params={{ slug }} search={{ q: 'is:open' }}>
        See all open findings →
      </Link>
    </>
  );
}
