import { useSession } from '#web/api/session.ts';
import { useOrg } from '#web/org/org.ts';
import { readable } from './readable.ts';
import './reports.css';

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Who printed what, when, in which zone, and where to find it again: only on paper. */
export function ReportFoot() {
  const session = useSession();
  const org = useOrg();
  const by = session.kind === 'signed-in' ? session.user.email : '';
  return (
    <footer className="report-foot">
      {org.name} · {by} · {moment.format(new Date())} UTC · {readable(location.href)}
    </footer>
  );
}
