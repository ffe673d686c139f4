import { useSession } from '#web/foundation/api/session.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { decodeAddress } from './decode-address.ts';
import './report.css';

const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** The footer of printed pages: organization, person, time and URL. */
export function PrintFooter() {
  const session = useSession();
  const org = useOrg();
  const email = session.kind === 'signed-in' ? session.user.email : '';
  return (
    <footer className="print-footer">
      {org.name} · {email} · {timeFormat.format(new Date())} UTC · {decodeAddress(location.href)}
    </footer>
  );
}
