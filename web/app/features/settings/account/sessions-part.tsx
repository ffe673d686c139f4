import { Button, Switch } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { account } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { RowAction } from '#web/ui/table/row-action.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { type OwnSession, sessionsQuery } from './queries.ts';

const isEnded = ({ endedAt, expiresAt }: OwnSession) => endedAt !== undefined || Date.parse(expiresAt) < Date.now();

const COLUMNS: readonly TableColumn<OwnSession>[] = [
  {
    name: 'Device',
    cell: ({ userAgent, current }) => (
      <span>
        {userAgent === '' ? 'unknown' : userAgent} {current && <strong>(this session)</strong>}
      </span>
    ),
  },
  { name: 'Address', cell: ({ address }) => <code>{address}</code> },
  { name: 'Signed in', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    name: 'Ends',
    cell: (session) =>
      isEnded(session) ? (
        <span>
          ended <RelativeTime at={session.endedAt ?? session.expiresAt} />
        </span>
      ) : (
        <RelativeTime at={session.expiresAt} />
      ),
  },
];

/** The sessions of the user, and on request the recent sign-ins that have ended. */
export function SessionsPart() {
  const queryClient = useQueryClient();
  const [includesEnded, setIncludesEnded] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const list = useQuery(sessionsQuery(includesEnded));
  const reload = () => queryClient.invalidateQueries({ queryKey: ['account', 'sessions'] });
  const end = async ({ id }: OwnSession) => {
    await account.endSession({ path: { sessionId: id } });
    notify('Session ended');
    await reload();
  };
  const endOthers = async () => {
    const { ended } = await account.endOtherSessions({});
    notify(ended === 1 ? '1 session ended' : `${ended} sessions ended`);
    await reload();
  };
  const actions: TableColumn<OwnSession> = {
    name: 'Actions',
    isActions: true,
    cell: (session) =>
      session.current || isEnded(session) ? null : (
        <RowAction
          permission="deployment:read"
          label={`End the session of ${session.address}`}
          icon={<LogOut size={16} />}
          onClick={() => void end(session)}
        />
      ),
  };
  return (
    <section className="account-part" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Sessions</h2>
      <div className="settings-row">
        <Switch
          label="Show recent sign-ins that have ended"
          checked={includesEnded}
          onChange={(event) => setIncludesEnded(event.currentTarget.checked)}
        />
        <Button size="xs" variant="default" onClick={() => setIsAsking(true)}>
          End all others
        </Button>
      </div>
      {list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />}
      {list.data ? (
        <DataTable label="Sessions" columns={[...COLUMNS, actions]} rows={list.data} keyOf={({ id }) => id} />
      ) : (
        !list.error && <LoadingRows rows={2} />
      )}
      {isAsking && (
        <ConfirmDialog
          title="End all other sessions?"
          actionLabel="End them"
          onConfirm={endOthers}
          onClose={() => setIsAsking(false)}
        >
          Other browsers and devices must sign in again.
        </ConfirmDialog>
      )}
    </section>
  );
}
