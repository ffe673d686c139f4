import { useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { ORG_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { RowAction } from '#web/ui/table/row-action.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { StatusText } from '../parts/status-text.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { type SsoAttempt, ssoAttemptsQuery } from './queries.ts';

const MODES: Record<SsoAttempt['mode'], string> = { 'sign-in': 'Sign-in', test: 'Test', link: 'Link' };

const outcomeOf = ({ failedCheck }: SsoAttempt) =>
  failedCheck === ''
    ? ({ kind: 'good', text: 'succeeded' } as const)
    : ({ kind: 'bad', text: `failed: ${failedCheck.replaceAll('_', ' ')}` } as const);

/** The last sign-ins with a provider; the one in the URL is shown with all that is known of it. */
export function Attempts() {
  const { id: deploymentId } = useOrg();
  const { search, update } = useSettingsSearch();
  const list = useQuery(ssoAttemptsQuery(deploymentId));
  const shown = list.data?.find(({ id }) => id === search.attempt);
  const columns: TableColumn<SsoAttempt>[] = [
    { name: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
    { name: 'Kind', cell: ({ mode }) => MODES[mode] },
    { name: 'Who', cell: ({ email, subject }) => email || subject || 'unknown' },
    { name: 'Outcome', cell: (attempt) => <StatusText {...outcomeOf(attempt)} /> },
    { name: 'Detail', cell: ({ detail }) => detail },
    {
      name: 'Actions',
      isActions: true,
      cell: ({ id, email }) => (
        <RowAction
          permission="sso:read"
          label={`Show the sign-in ${id} of ${email || 'somebody unknown'}`}
          icon={<Eye size={16} />}
          onClick={() => update({ attempt: id })}
        />
      ),
    },
  ];
  return (
    <section className="sso-part" aria-labelledby="sso-attempts">
      <h2 id="sso-attempts">Attempts</h2>
      {shown && <AttemptDetail attempt={shown} />}
      {list.isError && <ProblemView error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.length === 0 && <p className="dimmed">Nobody has signed in with a provider yet.</p>}
      {list.data && list.data.length > 0 && (
        <DataTable label="Attempts" columns={columns} rows={list.data} keyOf={({ id }) => id} />
      )}
    </section>
  );
}

function AttemptDetail({ attempt }: { attempt: SsoAttempt }) {
  const { role, teams, groups, claims, detail, email, subject, address } = attempt;
  return (
    <article className="sso-card" aria-label="Attempt">
      <h3>
        <StatusText {...outcomeOf(attempt)} />
      </h3>
      {detail !== '' && <p>{detail}</p>}
      <dl>
        <dt>E-mail</dt>
        <dd>{email || 'none'}</dd>
        <dt>Subject</dt>
        <dd>{subject || 'none'}</dd>
        <dt>Groups</dt>
        <dd>{groups.join(', ') || 'none'}</dd>
        <dt>Role</dt>
        <dd>{ORG_ROLE_LABELS[role] ?? 'none'}</dd>
        <dt>Teams</dt>
        <dd>{teams.join(', ') || 'none'}</dd>
        <dt>Address</dt>
        <dd>{address}</dd>
      </dl>
      {claims !== '' && <CodeBlock text={claims} label="claims" />}
    </article>
  );
}
