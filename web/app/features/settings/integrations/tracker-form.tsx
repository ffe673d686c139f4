import { Button, PasswordInput, Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ticketing } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { type StoredTracker, trackersQuery } from '#web/ui/automations/automation-queries.ts';
import { deliveriesKey } from '#web/ui/deliveries/delivery-queries.ts';
import { SideDialog } from '#web/ui/dialog/dialog.tsx';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import { BuiltInSwitches } from './built-in-switches.tsx';
import { MappedFieldRows } from './mapped-field-rows.tsx';
import { emptyTracker, type TrackerDraft, trackerBody, trackerDraftOf } from './tracker-draft.ts';
import { TRACKER_KINDS, type TrackerKind } from './tracker-kinds.ts';

interface TrackerFormProps {
  /** Absent for a new tracker. */
  stored?: StoredTracker;
  onClose: () => void;
}

const KINDS = Object.entries(TRACKER_KINDS).map(([value, { label }]) => ({ value, label }));

/** Connects a tracker or changes its settings; the server checks them at the tracker before it stores them. */
export function TrackerForm({ stored, onClose }: TrackerFormProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<TrackerDraft>(stored ? trackerDraftOf(stored) : emptyTracker());
  const [token, setToken] = useState('');
  const kind = TRACKER_KINDS[draft.instanceType];
  const saving = useMutation({
    mutationFn: () => {
      const body = trackerBody(draft);
      return stored
        ? ticketing.updateTicketingInstance({
            path: { deploymentId, ticketingInstanceId: stored.id } as never,
            body: { ...body, ...(token !== '' && { token }) },
          })
        : ticketing.createTicketingInstance({ path: { deploymentId }, body: { ...body, token } });
    },
    onSuccess: async () => {
      notify(`Tracker ${draft.name} saved`);
      await Promise.all([
        queryClient.invalidateQueries(trackersQuery(deploymentId)),
        queryClient.invalidateQueries({ queryKey: deliveriesKey(deploymentId) }),
      ]);
      onClose();
    },
  });
  const errors = fieldErrorsOf(saving.error);
  const change = (part: Partial<TrackerDraft>) => setDraft((before) => ({ ...before, ...part }));
  const text = (
    member: 'name' | 'siteUrl' | 'account' | 'projectId' | 'issueTypeId' | 'fixedTransitionId',
    label: string,
    { description = '', isRequired = true }: { description?: string; isRequired?: boolean } = {},
  ) => (
    <TextInput
      label={label}
      description={description === '' ? undefined : description}
      required={isRequired}
      spellCheck={false}
      value={draft[member]}
      error={errors[member]}
      onChange={(event) => change({ [member]: event.currentTarget.value })}
    />
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <SideDialog onClose={onClose} title={stored ? `Edit ${stored.name}` : 'Connect a tracker'} size="lg">
      <form className="settings-form" onSubmit={submit}>
        <Select
          label="Tracker"
          data={KINDS}
          value={draft.instanceType}
          allowDeselect={false}
          onChange={(value) => value !== null && change({ instanceType: value as TrackerKind })}
        />
        {text('name', 'Name')}
        {text('siteUrl', 'Address', { description: `What the browser shows, such as ${kind.siteExample}.` })}
        {kind.needsAccount === true && text('account', 'E-mail address of the account')}
        <PasswordInput
          label={stored ? 'Token (stored)' : 'Token'}
          description={
            stored ? 'Leave it empty to keep it, unless you change the address or the account.' : kind.tokenHint
          }
          required={!stored}
          autoComplete="off"
          value={token}
          error={errors['token']}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the token' }}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        {text('projectId', kind.projectLabel, { description: `Such as ${kind.projectExample}.` })}
        {kind.isJira === true && text('issueTypeId', 'Id of the type of tickets', { description: 'Such as 10004.' })}
        {kind.isJira === true &&
          text('fixedTransitionId', 'Id of the transition when everything is fixed (optional)', {
            description: 'Without it, a comment says so.',
            isRequired: false,
          })}
        <MappedFieldRows rows={draft.fields} onChange={(fields) => change({ fields })} />
        <BuiltInSwitches
          states={draft.automationStates}
          onChange={(automationStates) => change({ automationStates })}
        />
        <FormProblem error={saving.error} />
        <div className="settings-form-actions">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {stored ? 'Check and save' : 'Check and connect'}
          </Button>
        </div>
      </form>
    </SideDialog>
  );
}
