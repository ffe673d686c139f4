import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { storageCredentials as service } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { type StoredStorage, storageQuery } from '#web/ui/automations/automation-queries.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { RowAction } from '#web/ui/table/row-action.tsx';
import { useSettingsSearch } from '../../parts/use-settings-search.ts';
import { StorageForm } from './storage-form.tsx';

const COLUMNS: readonly TableColumn<StoredStorage>[] = [
  { name: 'Name', cell: ({ name }) => name },
  { name: 'Endpoint', cell: ({ endpoint }) => endpoint },
  { name: 'Region', cell: ({ region }) => region },
  { name: 'Access key id', cell: ({ accessKeyId }) => <code>{accessKeyId}</code> },
];

/** The credentials for buckets that automations write findings to. */
export function StoragePart() {
  const org = useOrg();
  const { search, update } = useSettingsSearch();
  const [deleting, setDeleting] = useState<StoredStorage>();
  const list = useQuery(storageQuery(org.id));
  const actions: TableColumn<StoredStorage> = {
    name: 'Actions',
    isActions: true,
    cell: (storage) => (
      <RowAction
        permission="credential:manage"
        label={`Delete ${storage.name}`}
        icon={<Trash2 size={16} />}
        onClick={() => setDeleting(storage)}
      />
    ),
  };
  return (
    <section className="integration-group" aria-labelledby="storage-title">
      <header>
        <h2 id="storage-title">Storage (S3)</h2>
        <PermissionGate permission="credential:manage">
          {(isDisabled) => (
            <Button size="xs" variant="default" disabled={isDisabled} onClick={() => update({ preset: 'storage' })}>
              Add storage
            </Button>
          )}
        </PermissionGate>
      </header>
      {list.isPending && <LoadingRows rows={1} />}
      {list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <p className="dimmed">Automations can write findings as JSON to buckets of Amazon S3 and compatible storage.</p>
      )}
      {list.data && list.data.length > 0 && (
        <DataTable label="Storage" columns={[...COLUMNS, actions]} rows={list.data} keyOf={({ id }) => id} />
      )}
      {search.preset === 'storage' && org.may('credential:manage') && (
        <StorageForm onClose={() => update({ preset: undefined }, true)} />
      )}
      {deleting && <DeleteStorage storage={deleting} onClose={() => setDeleting(undefined)} />}
    </section>
  );
}

function DeleteStorage({ storage: { id, name }, onClose }: { storage: StoredStorage; onClose: () => void }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const remove = async () => {
    const { pausedAutomations: paused } = await service.deleteStorageCredential({
      path: { deploymentId, storageCredentialId: id },
    });
    const names = paused.map((automation) => automation.name).join(', ');
    notify(`${name} deleted.${names === '' ? '' : ` Paused automations: ${names}.`}`);
    await queryClient.invalidateQueries({ queryKey: [deploymentId] });
  };
  return (
    <ConfirmDialog title={`Delete ${name}?`} actionLabel="Delete" onConfirm={remove} onClose={onClose}>
      Automations that use it are paused, and what waits is cancelled. Objects in buckets stay.
    </ConfirmDialog>
  );
}
