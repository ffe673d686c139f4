import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notificationSettings as service } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { UnsavedChangesGuard } from '#web/ui/dialog/unsaved-changes-guard.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { ifMatchHeader, isVersionConflict, readWithVersion, type Versioned } from '../parts/etag.ts';
import { FormProblem } from '../parts/form-problem.tsx';
import { SaveBar } from '../parts/save-bar.tsx';
import { changedMailSettings, type MailEdits, type MailSettings } from './mail-edits.ts';
import { DigestFields, ImmediateFields, TimeFields } from './mail-fields.tsx';
import { MailState } from './mail-state.tsx';
import './notifications.css';

const keyOf = (deploymentId: string) => [deploymentId, 'settings', 'notifications'];

/** What the signed-in person gets by mail from this organization. */
export function NotificationsSection() {
  const { id: deploymentId } = useOrg();
  const settings = useQuery({
    queryKey: keyOf(deploymentId),
    queryFn: ({ signal }) =>
      readWithVersion((options) => service.getMailSettings({ path: { deploymentId } }, options), signal),
    refetchOnWindowFocus: false,
  });
  return (
    <Page
      title="Notifications"
      actions={
        <CopyAsMenu operationId="NotificationSettingsService_GetMailSettings" input={{ path: { deploymentId } }} />
      }
    >
      {settings.isPending && <LoadingRows rows={6} />}
      {settings.isError && <ProblemView error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data && <MailEditor stored={settings.data} />}
    </Page>
  );
}

function useSaving({ version }: Versioned<{ settings: MailSettings }>, onSaved: () => void) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const refetch = () => queryClient.refetchQueries({ queryKey: keyOf(deploymentId) });
  return useMutation({
    mutationFn: (body: MailEdits & { isSuspended?: false }) =>
      service.updateMailSettings({ path: { deploymentId }, body, headers: ifMatchHeader(version) }),
    onSuccess: async (_, { isSuspended }) => {
      await refetch();
      if (isSuspended === undefined) onSaved();
      notify(isSuspended === undefined ? 'Notifications saved' : 'Mail is sent again');
    },
    onError: async (error) => {
      if (isVersionConflict(error)) await refetch();
    },
  });
}

function MailEditor({ stored }: { stored: Versioned<{ settings: MailSettings }> }) {
  const { settings } = stored.answer;
  const [edits, setEdits] = useState<MailEdits>({});
  const saving = useSaving(stored, () => setEdits({}));
  const changed = changedMailSettings(settings, edits);
  const count = Object.keys(changed).length;
  const current = { ...settings, ...edits };
  const edit = (change: MailEdits) => setEdits({ ...edits, ...change });
  return (
    <div className="mail-settings">
      <MailState settings={settings} isBusy={saving.isPending} onResume={() => saving.mutate({ isSuspended: false })} />
      {isVersionConflict(saving.error) ? (
        <p className="settings-note" data-kind="warn" role="alert">
          These settings were changed in the meantime, in another window or by a link in a mail. Your changes were not
          saved: review them and save again.
        </p>
      ) : (
        <FormProblem error={saving.error} />
      )}
      <DigestFields current={current} onChange={edit} />
      <TimeFields current={current} onChange={edit} />
      <ImmediateFields current={current} onChange={edit} />
      {count > 0 && (
        <SaveBar
          changes={count}
          actionLabel="Save"
          isBusy={saving.isPending}
          onDiscard={() => setEdits({})}
          onSave={() => saving.mutate(changed)}
        />
      )}
      <UnsavedChangesGuard isOn={count > 0} />
    </div>
  );
}
