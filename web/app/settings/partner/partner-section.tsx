import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { partner } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { Allowed } from '#web/parts/allowed.tsx';
import { Confirm } from '#web/parts/confirm.tsx';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { Page } from '#web/parts/page.tsx';
import { Empty, LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { say } from '#web/shell/say.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { RowDeed } from '../parts/row-deed.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { CredentialForm } from './credential-form.tsx';
import { type Credential, credentialsQuery } from './partner-data.ts';
import { TestCredential } from './test-credential.tsx';

/** How this server signs in at a cloud-security vendor. */
export function PartnerSection() {
  const org = useOrg();
  const deploymentId = org.id;
  const mayManage = org.may('credential:manage');
  const { search, item, put, open } = useSettingsSearch();
  return (
    <Page
      title="Partner credentials"
      actions={
        <>
          <CopyAs operationId="PartnerCredentialService_ListPartnerCredentials" input={{ path: { deploymentId } }} />
          <Allowed permission="credential:manage">
            {(isDisabled) => (
              <Button leftSection={<Plus size={16} />} disabled={isDisabled} onClick={() => put({ new: true })}>
                Add
              </Button>
            )}
          </Allowed>
        </>
      }
    >
      <Credentials onEdit={open} />
      {search.new && mayManage && <CredentialForm onClose={() => put({ new: undefined }, true)} />}
      {item !== undefined && mayManage && (
        <CredentialForm key={item} credentialId={item} onClose={() => open(undefined)} />
      )}
    </Page>
  );
}

function Credentials({ onEdit }: { onEdit: (id: string) => void }) {
  const { id: deploymentId } = useOrg();
  const [leaving, setLeaving] = useState<Credential>();
  const list = useQuery(credentialsQuery(deploymentId));
  if (list.isPending) return <LoadingRows rows={3} />;
  if (list.isError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data.length === 0)
    return (
      <Empty
        title="No partner credentials"
        why="With a client id and a secret of a cloud-security vendor, what it knows stands beside findings."
      />
    );
  const columns: Column<Credential>[] = [
    { name: 'Client id', cell: ({ clientId }) => <code>{clientId}</code> },
    { name: 'API', cell: ({ apiUrl }) => apiUrl },
    { name: 'Token address', cell: ({ tokenUrl }) => tokenUrl },
    { name: 'Stored secret', cell: ({ id }) => <TestCredential wish={{ id }} /> },
    {
      name: 'Actions',
      isActions: true,
      cell: (credential) => (
        <>
          <RowDeed
            permission="credential:manage"
            label={`Edit ${credential.clientId}`}
            icon={<Pencil size={16} />}
            onClick={() => onEdit(credential.id)}
          />
          <RowDeed
            permission="credential:manage"
            label={`Delete ${credential.clientId}`}
            icon={<Trash2 size={16} />}
            onClick={() => setLeaving(credential)}
          />
        </>
      ),
    },
  ];
  return (
    <>
      <DataTable label="Partner credentials" columns={columns} rows={list.data} keyOf={({ id }) => id} />
      {leaving && <DeleteCredential credential={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

function DeleteCredential({ credential, onClose }: { credential: Credential; onClose: () => void }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const remove = async () => {
    await partner.deletePartnerCredential({ path: { deploymentId, id: credential.id } });
    say(`Credential ${credential.clientId} deleted`);
    void queryClient.invalidateQueries(credentialsQuery(deploymentId));
  };
  return (
    <Confirm title={`Delete ${credential.clientId}?`} deed="Delete" onConfirm={remove} onClose={onClose}>
      The stored secret goes with it. This cannot be taken back.
    </Confirm>
  );
}
