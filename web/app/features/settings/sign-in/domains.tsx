import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { ssoSettings } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { RowAction } from '#web/ui/table/row-action.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { type SsoDomain, ssoDomainsQuery } from './queries.ts';

/** The e-mail domains of the organization, with the DNS record that proves each. */
export function Domains() {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const list = useQuery(ssoDomainsQuery(deploymentId));
  const [deleting, setDeleting] = useState<SsoDomain>();
  const reload = () => queryClient.invalidateQueries(ssoDomainsQuery(deploymentId));
  const verifying = useMutation({
    mutationFn: (domain: string) => ssoSettings.verifySsoDomain({ path: { deploymentId }, body: { domain } }),
    onSuccess: ({ domain: { domain } }) => {
      notify(`Domain ${domain} verified`);
      void reload();
    },
  });
  const columns: TableColumn<SsoDomain>[] = [
    { name: 'Domain', cell: ({ domain }) => domain },
    {
      name: 'State',
      cell: ({ domain, provedAt, recordName, recordValue }) =>
        provedAt === undefined ? (
          <div className="sso-proof">
            <span>Add this TXT record to the domain, then verify it:</span>
            <CopyText text={recordName} label="record name" />
            <CopyText text={recordValue} label="record value" />
            <PermissionGate permission="sso:manage">
              {(isDisabled) => (
                <Button
                  size="xs"
                  disabled={isDisabled}
                  loading={verifying.isPending && verifying.variables === domain}
                  onClick={() => verifying.mutate(domain)}
                >
                  Verify {domain}
                </Button>
              )}
            </PermissionGate>
          </div>
        ) : (
          <span>
            verified <RelativeTime at={provedAt} />
          </span>
        ),
    },
    {
      name: 'Actions',
      isActions: true,
      cell: (domain) => (
        <RowAction
          permission="sso:manage"
          label={`Delete the domain ${domain.domain}`}
          icon={<Trash2 size={16} />}
          onClick={() => setDeleting(domain)}
        />
      ),
    },
  ];
  const remove = async (domain: string) => {
    await ssoSettings.deleteSsoDomain({ path: { deploymentId, domain } });
    notify(`Domain ${domain} deleted`);
    void reload();
  };
  return (
    <section className="sso-part" aria-labelledby="sso-domains">
      <h2 id="sso-domains">Domains</h2>
      <p className="dimmed">Only people with an address in a verified domain can sign in with a provider.</p>
      {list.data && list.data.length > 0 && (
        <DataTable label="Domains" columns={columns} rows={list.data} keyOf={({ domain }) => domain} />
      )}
      {list.isError && <ProblemView error={list.error} onRetry={() => void list.refetch()} />}
      {verifying.isError && <ProblemView error={verifying.error} />}
      <AddDomain onAdded={reload} />
      {deleting && (
        <ConfirmDialog
          title={`Delete ${deleting.domain}?`}
          actionLabel="Delete"
          onConfirm={() => remove(deleting.domain)}
          onClose={() => setDeleting(undefined)}
        >
          People with an address in this domain can no longer sign in with a provider.
        </ConfirmDialog>
      )}
    </section>
  );
}

function AddDomain({ onAdded }: { onAdded: () => Promise<void> }) {
  const { id: deploymentId } = useOrg();
  const [domain, setDomain] = useState('');
  const adding = useMutation({
    mutationFn: () => ssoSettings.addSsoDomain({ path: { deploymentId }, body: { domain: domain.trim() } }),
    onSuccess: () => {
      setDomain('');
      void onAdded();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  return (
    <PermissionGate permission="sso:manage">
      {(isDisabled) => (
        <form className="sso-presets" onSubmit={submit}>
          <TextInput
            aria-label="New domain"
            placeholder="example.com"
            required
            disabled={isDisabled}
            value={domain}
            onChange={(event) => setDomain(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={isDisabled} loading={adding.isPending}>
            Add the domain
          </Button>
          {adding.isError && <ProblemView error={adding.error} />}
        </form>
      )}
    </PermissionGate>
  );
}
