import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { partner } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { RowAction } from '#web/ui/table/row-action.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { CredentialForm } from './credential-form.tsx';
import { type PartnerCredential, partnerCredentialsQuery } from './queries.ts';
import { TestCredential } from './test-credential.tsx';

/** The credentials with which this server authenticates to a cloud-security vendor. */
export function PartnerSection() {
  const org = useOrg();
  const deploymentId = org.id;
  const canManage = org.may('credential:manage');
  const { search, item, update, open } = useSettingsSearch();
  return (
    <Page
      title="Partner credentials"
      actions={
        <>
          <CopyAsMenu
            operationId="PartnerCredentialService_ListPartnerCredentials"
            input={{ path: { deploymentId } }}
          />
          <PermissionGate permission="credential:manage">
            {(isDisabled) => (
              <Button leftSection={<Plus size={16} />} disabled={isDisabled} onClick={() => update({ new: true })}>
                Add
              </Button>
            )}
          </PermissionGate>
        </>
      }
    >
      <Credentials onEdit={open} />
      {search.new && canManage && <CredentialForm onClose={() => update({ new: undefined }, true)} />}
      {item !== undefined && canManage && (
        <CredentialForm key={item} credentialId={item} onClose={() => open(undefined)} />
      )}
    </Page>
  );
}

function Credentials({ onEdit }: { onEdit: (id: string) => void }) {
  const { id: deploymentId } = useOrg();
  const [deleting, setDeleting] = useState<PartnerCredential>();
  const list = useQuery(partnerCredentialsQuery(deploymentId));
  if (list.isPending) return <LoadingRows rows={3} />;
  if (list.isError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data.length === 0)
    return (
      <EmptyState
        title="No partner credentials"
        why="With a client id and secret of a cloud-security vendor, findings show its context."
      />
    );
  const columns: TableColumn<PartnerCredential>[] = [
    { name: 'Client id', cell: ({ clientId }) => <code>{clientId}</code> },
    { name: 'API', cell: ({ apiUrl }) => apiUrl },
    { name: 'Token URL', cell: ({ tokenUrl }) => tokenUrl },
    { name: 'Stored secret', cell: ({ id }) => <TestCredential input={{ id }} /> },
    {
      name: 'Actions',
      isActions: true,
      cell: (credential) => (
        <>
          <RowAction
            permission="credential:manage"
            label={`Edit ${credential.clientId}`}
            icon={<Pencil size={16} />}
            onClick={() => onEdit(credential.id)}
          />
          <RowAction
            permission="credential:manage"
            label={`Delete ${credential.clientId}`}
            icon={<Trash2 size={16} />}
            onClick={() => setDeleting(credential)}
          />
        </>
      ),
    },
  ];
  return (
    <>
      <DataTable label="Partner credentials" columns={columns} rows={list.data} keyOf={({ id }) => id} />
      {deleting && <DeleteCredential credential={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

function DeleteCredential({ credential, onClose }: { credential: PartnerCredential; onClose: () => void }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const remove = async () => {
    await partner.deletePartnerCredential({ path: { deploymentId, id: credential.id } });
    notify(`Credential ${credential.clientId} deleted`);
    void queryClient.invalidateQueries(partnerCredentialsQuery(deploymentId));
  };
  return (
    <ConfirmDialog title={`Delete ${credential.clientId}?`} actionLabel="Delete" onConfirm={remove} onClose={onClose}>
      The stored secret is deleted too. This cannot be undone.
    </ConfirmDialog>
  );
}
