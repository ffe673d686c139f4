import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { scimSettings } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { CodeBlock } from '../parts/code-block.tsx';

const POLL_INTERVAL_MS = 5000;

type ScimSettings = Awaited<ReturnType<typeof scimSettings.getScimSettings>>['settings'];

const settingsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'settings', 'provisioning'],
    queryFn: async ({ signal }) =>
      (await scimSettings.getScimSettings({ path: { deploymentId } }, { signal })).settings,
    refetchInterval: POLL_INTERVAL_MS,
  });

/** Provisioning of people and groups by an identity provider, with SCIM. */
export function ProvisioningSection() {
  const { id: deploymentId } = useOrg();
  const settings = useQuery(settingsQuery(deploymentId));
  return (
    <Page
      title="Provisioning"
      actions={<CopyAsMenu operationId="ScimSettingsService_GetScimSettings" input={{ path: { deploymentId } }} />}
    >
      {settings.error && <ProblemView error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data ? <SetUp settings={settings.data} /> : !settings.error && <LoadingRows />}
    </Page>
  );
}

function SetUp({ settings }: { settings: ScimSettings }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const [asks, setAsks] = useState<'replace' | 'end'>();
  const reload = () => queryClient.invalidateQueries({ queryKey: settingsQuery(deploymentId).queryKey });
  const create = async () => {
    const created = await scimSettings.createScimToken({ path: { deploymentId }, body: {} });
    setSecret(created.secret);
    await reload();
  };
  const creating = useMutation({ mutationFn: create });
  const end = async () => {
    await scimSettings.deleteScimToken({ path: { deploymentId } });
    notify('Provisioning ended');
    await reload();
  };
  return (
    <div className="settings-form">
      <p>
        An identity provider such as Okta or Entra invites people, puts them into teams and removes them. People who are
        members already are recognized by their address. Nobody becomes a member without accepting.
      </p>
      <p>Base URL for the identity provider:</p>
      <CodeBlock text={settings.baseUrl} label="base URL" />
      {creating.error && <ProblemView error={creating.error} />}
      <PermissionGate permission="sso:manage">
        {(isDisabled) => (
          <div className="settings-row">
            <Button
              disabled={isDisabled}
              loading={creating.isPending}
              onClick={() => (settings.enabled ? setAsks('replace') : creating.mutate())}
            >
              {settings.enabled ? 'Replace the token' : 'Create a token'}
            </Button>
            {settings.enabled && (
              <Button variant="default" disabled={isDisabled} onClick={() => setAsks('end')}>
                End provisioning
              </Button>
            )}
          </div>
        )}
      </PermissionGate>
      <LastCall settings={settings} />
      {asks === 'replace' && (
        <ConfirmDialog
          title="Replace the token?"
          actionLabel="Replace"
          onConfirm={create}
          onClose={() => setAsks(undefined)}
        >
          The present token (…{settings.tokenSuffix}) ends at once.
        </ConfirmDialog>
      )}
      {asks === 'end' && (
        <ConfirmDialog title="End provisioning?" actionLabel="End" onConfirm={end} onClose={() => setAsks(undefined)}>
          The token ends at once. People and teams stay as they are.
        </ConfirmDialog>
      )}
      {secret !== undefined && <NewSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </div>
  );
}

function LastCall({ settings }: { settings: ScimSettings }) {
  if (!settings.enabled) return null;
  const { lastCallAt, lastChange, lastChangeAt, users, groups, expiresAt } = settings;
  return (
    <div className="settings-note" data-kind={lastCallAt ? 'good' : undefined} role="status">
      {lastCallAt ? (
        <span className="settings-status" data-kind="good">
          <CircleCheck size={18} aria-hidden="true" /> Last call <RelativeTime at={lastCallAt} />
        </span>
      ) : (
        'Waiting for the first call… It appears here within 30 seconds.'
      )}
      {lastChange !== '' && (
        <p>
          Last change: {lastChange}, <RelativeTime at={lastChangeAt} />
        </p>
      )}
      <p>
        {users} people and {groups} groups are provisioned. The token ends <RelativeTime at={expiresAt} />.
      </p>
    </div>
  );
}

function NewSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="SCIM token" size="lg" closeOnClickOutside={false} closeOnEscape={false}>
      <div className="settings-form">
        <p className="settings-note" data-kind="warn">
          Copy the token now. It is shown only once.
        </p>
        <CodeBlock text={secret} label="token" />
        <div className="settings-form-actions">
          <Button onClick={onClose}>I have copied it</Button>
        </div>
      </div>
    </Dialog>
  );
}
