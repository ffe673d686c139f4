import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Terminal, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { keylessCi } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { RowAction } from '#web/ui/table/row-action.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { jobSnippet } from './job-snippet.ts';
import { type CiTrust, trustsQuery } from './queries.ts';
import { PROVIDERS } from './trust-draft.ts';
import { TrustForm } from './trust-form.tsx';

const POLL_INTERVAL_MS = 15_000;

const COLUMNS: readonly TableColumn<CiTrust>[] = [
  {
    name: 'Name',
    cell: ({ name, provider, enabled }) => (
      <span>
        {name} <span className="dimmed">{PROVIDERS[provider].label}</span>
        {!enabled && <span className="dimmed"> (off)</span>}
      </span>
    ),
  },
  {
    name: 'Accepts',
    cell: ({ conditions }) => conditions.map(({ claim, values }) => `${claim} = ${values.join(', ')}`).join('; '),
  },
  { name: 'Project', cell: ({ project }) => (project === '' ? 'all projects' : <code>{project}</code>) },
  {
    name: 'Last used',
    cell: ({ lastUsedAt, lastProject }) => (
      <span>
        <RelativeTime at={lastUsedAt} /> {lastProject !== '' && <span className="dimmed">{lastProject}</span>}
      </span>
    ),
  },
  {
    name: 'Last refused',
    cell: ({ lastRefusedAt, lastRefusal }) => (
      <span>
        <RelativeTime at={lastRefusedAt} /> {lastRefusal !== '' && <span className="dimmed">{lastRefusal}</span>}
      </span>
    ),
  },
];

/** The CI issuers whose jobs get scanner tokens without a stored secret. */
export function KeylessSection() {
  const org = useOrg();
  const { search, update } = useSettingsSearch();
  const create = () => update({ new: true });
  return (
    <Page
      title="Keyless CI"
      actions={
        <>
          <CopyAsMenu operationId="KeylessCiService_ListCiTrusts" input={{ path: { deploymentId: org.id } }} />
          <PermissionGate permission="token:manage">
            {(isDisabled) => (
              <Button leftSection={<Plus size={16} />} disabled={isDisabled} onClick={create}>
                Trust an issuer
              </Button>
            )}
          </PermissionGate>
        </>
      }
    >
      <TrustList />
      {search.new && org.may('token:manage') && <TrustForm onClose={() => update({ new: undefined }, true)} />}
    </Page>
  );
}

type TrustAction = { kind: 'change' | 'delete' | 'snippet'; trust: CiTrust };

function TrustList() {
  const { id: deploymentId } = useOrg();
  const [action, setAction] = useState<TrustAction>();
  const list = useQuery({ ...trustsQuery(deploymentId), refetchInterval: POLL_INTERVAL_MS });
  if (list.error) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <LoadingRows />;
  if (list.data.length === 0)
    return (
      <EmptyState
        title="No CI issuer is trusted yet"
        why="Jobs of GitHub Actions, GitLab CI or Buildkite can prove who they are, so that no secret is stored in CI."
      />
    );
  const actions: TableColumn<CiTrust> = {
    name: 'Actions',
    isActions: true,
    cell: (trust) => (
      <>
        <RowAction
          permission="token:read"
          label={`Show the job for ${trust.name}`}
          icon={<Terminal size={16} />}
          onClick={() => setAction({ kind: 'snippet', trust })}
        />
        <RowAction
          permission="token:manage"
          label={`Change ${trust.name}`}
          icon={<Pencil size={16} />}
          onClick={() => setAction({ kind: 'change', trust })}
        />
        <RowAction
          permission="token:manage"
          label={`Delete ${trust.name}`}
          icon={<Trash2 size={16} />}
          onClick={() => setAction({ kind: 'delete', trust })}
        />
      </>
    ),
  };
  return (
    <>
      <DataTable label="Trusted CI issuers" columns={[...COLUMNS, actions]} rows={list.data} keyOf={({ id }) => id} />
      {action && <TrustActionDialog {...action} onClose={() => setAction(undefined)} />}
    </>
  );
}

function TrustActionDialog({ kind, trust, onClose }: TrustAction & { onClose: () => void }) {
  const { id: deploymentId, slug } = useOrg();
  const queryClient = useQueryClient();
  if (kind === 'change') return <TrustForm trust={trust} onClose={onClose} />;
  if (kind === 'snippet')
    return (
      <Dialog onClose={onClose} title={`A job for ${trust.name}`} size="xl">
        <CodeBlock
          text={jobSnippet(trust.provider, { origin: location.origin, slug, audience: trust.audience })}
          label="job"
        />
      </Dialog>
    );
  const remove = async () => {
    await keylessCi.deleteCiTrust({ path: { deploymentId, ciTrustId: trust.id } });
    notify(`${trust.name} deleted`);
    await queryClient.invalidateQueries({ queryKey: trustsQuery(deploymentId).queryKey });
  };
  return (
    <ConfirmDialog title={`Stop trusting ${trust.name}?`} actionLabel="Delete" onConfirm={remove} onClose={onClose}>
      Jobs get no more tokens from it, and the scanner tokens that they have end at once.
    </ConfirmDialog>
  );
}
