import { useSession } from '#web/foundation/api/session.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { decodeAddress } from './decode-address.ts';
import '../../features/reports/reports.css';

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Who printed what, when, in which zone, and where to find it again: only on paper. */
export function PrintFooter() {
  const session = useSession();
  const org = useOrg();
  const by = session.kind === 'signed-in' ? session.user.email : '';
  return (
    <footer className="report-foot">
      {org.name} · {by} · {moment.format(new Date())} UTC · {decodeAddress(location.href)}
    </footer>
  );
}
