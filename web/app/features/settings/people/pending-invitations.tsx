import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { MailX } from 'lucide-react';
import { useState } from 'react';
import { invitations as service } from '#web/foundation/api/services.ts';
import { ORG_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { RowAction } from '#web/ui/table/row-action.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { invitationsQuery, type PendingInvitation, peopleKey } from './queries.ts';

/** The invitations that were not accepted yet. Nothing is shown without any. */
export function PendingInvitations() {
  const { id: deploymentId } = useOrg();
  const [cancelling, setCancelling] = useState<PendingInvitation>();
  const list = useInfiniteQuery(invitationsQuery(deploymentId));
  const problem = list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  const pending = list.data?.pages.flatMap((page) => page.invitations) ?? [];
  if (pending.length === 0) return problem;
  const actions: TableColumn<PendingInvitation> = {
    name: 'Actions',
    isActions: true,
    cell: (invitation) => (
      <RowAction
        permission="user:manage"
        label={`Cancel the invitation of ${invitation.email}`}
        icon={<MailX size={16} />}
        onClick={() => setCancelling(invitation)}
      />
    ),
  };
  return (
    <section className="people-invitations" aria-labelledby="pending-invitations">
      <h2 id="pending-invitations">Pending invitations</h2>
      <p className="dimmed">These people become members when they accept. Invite them again for a new link.</p>
      <DataTable label="Pending invitations" columns={[...COLUMNS, actions]} rows={pending} keyOf={({ id }) => id} />
      {problem}
      <LoadMore {...list} />
      {cancelling && <CancelInvitation invitation={cancelling} onClose={() => setCancelling(undefined)} />}
    </section>
  );
}

const COLUMNS: readonly TableColumn<PendingInvitation>[] = [
  {
    name: 'Address',
    cell: ({ email, name }) => (
      <span>
        <span className="people-name">{email}</span>
        {name !== '' && name !== email && <span className="people-address dimmed">{name}</span>}
      </span>
    ),
  },
  { name: 'Role', cell: ({ role }) => ORG_ROLE_LABELS[role] ?? role },
  { name: 'Invited by', cell: ({ invitedBy }) => invitedBy },
  { name: 'Invited', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    name: 'Expires',
    cell: ({ expiresAt }) => (
      <span>
        {new Date(expiresAt) < new Date() && 'expired '}
        <RelativeTime at={expiresAt} />
      </span>
    ),
  },
];

function CancelInvitation({
  invitation: { id, email },
  onClose,
}: {
  invitation: PendingInvitation;
  onClose: () => void;
}) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const cancel = async () => {
    await service.deleteInvitation({ path: { deploymentId, invitationId: id } });
    notify(`Invitation of ${email} cancelled`);
    void queryClient.invalidateQueries({ queryKey: peopleKey(deploymentId) });
  };
  return (
    <ConfirmDialog
      title={`Cancel the invitation of ${email}?`}
      actionLabel="Cancel the invitation"
      cancelLabel="Keep it"
      onConfirm={cancel}
      onClose={onClose}
    >
      The link that they got stops working immediately.
    </ConfirmDialog>
  );
}
