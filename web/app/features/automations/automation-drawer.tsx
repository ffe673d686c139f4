import { Button, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { asProblem } from '#web/foundation/api/problem.ts';
import { projectNamesQuery } from '#web/foundation/api/project-queries.ts';
import { automations } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { SideDialog } from '#web/ui/dialog/dialog.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { ActionFields } from './action-fields.tsx';
import './automations.css';
import { type AutomationDraft, automationBody, fieldErrorAt } from './automation-draft.ts';
import { TRIGGER_LABELS } from './automation-types.ts';
import { ConditionFields } from './condition-fields.tsx';
import { describeAutomation } from './describe-automation.ts';
import { automationsQuery } from './queries.ts';

interface AutomationDrawerProps {
  draft: AutomationDraft;
  /** Absent for a new automation. */
  automationId?: string;
  onClose: () => void;
}

const TRIGGER_CHOICES = Object.entries(TRIGGER_LABELS).map(([value, label]) => ({ value, label }));

/** The form of an automation, with a description of it in one sentence. */
export function AutomationDrawer({ draft: first, automationId, onClose }: AutomationDrawerProps) {
  const [draft, setDraft] = useState(first);
  const { save, error, isBusy, input, operation } = useSaving(draft, automationId, onClose);
  const errors = error === undefined ? [] : asProblem(error).body.errors;
  const change = (part: Partial<AutomationDraft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  return (
    <SideDialog
      onClose={onClose}
      size="xl"
      closeOnClickOutside={false}
      title={automationId === undefined ? 'New automation' : 'Edit automation'}
    >
      <form className="automation-form" onSubmit={submit}>
        <Sentence draft={draft} />
        <TextInput
          label="Name"
          required
          data-autofocus
          value={draft.name}
          error={fieldErrorAt(errors, '#/automation/name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Textarea
          label="Description (optional)"
          autosize
          value={draft.description}
          error={fieldErrorAt(errors, '#/automation/description')}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <Select
          label="When"
          data={TRIGGER_CHOICES}
          value={draft.triggerSource}
          allowDeselect={false}
          error={fieldErrorAt(errors, '#/automation/triggerSource')}
          onChange={(value) => change({ triggerSource: value ?? draft.triggerSource })}
        />
        <ConditionFields draft={draft} errors={errors} onChange={change} />
        <ActionFields actions={draft.actions} errors={errors} onChange={(actions) => change({ actions })} />
        <Switch
          label="Active"
          description="An inactive automation is kept but does not run."
          checked={draft.active}
          onChange={(event) => change({ active: event.currentTarget.checked })}
        />
        {error !== undefined && <ProblemView error={error} />}
        <div className="automation-buttons">
          <CopyAsMenu operationId={operation} input={input} />
          <Button type="submit" loading={isBusy}>
            {automationId === undefined ? 'Create automation' : 'Save'}
          </Button>
        </div>
      </form>
    </SideDialog>
  );
}

function Sentence({ draft }: { draft: AutomationDraft }) {
  const org = useOrg();
  const ids = draft.conditions
    .filter(({ type }) => type === 'CONDITION_TYPE_REPOSITORY_ID')
    .flatMap(({ values }) => values);
  const names = useQuery(projectNamesQuery(org.id, ids)).data;
  const { automation } = automationBody(draft);
  return <p className="automation-sentence">{describeAutomation(automation, (id) => names?.get(id) ?? id)}</p>;
}

function useSaving(draft: AutomationDraft, automationId: string | undefined, onDone: () => void) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const path = { deploymentId: org.id, ...(automationId === undefined ? {} : { automationId }) };
  const input = { path, body: automationBody(draft) };
  const save = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      if (automationId === undefined) await automations.createAutomation(input as never);
      else await automations.updateAutomation(input as never);
      await queryClient.invalidateQueries({ queryKey: automationsQuery(org.id).queryKey });
      notify(`${draft.name} saved.`);
      onDone();
    } catch (problem) {
      setError(problem);
      setIsBusy(false);
    }
  };
  const operation = `AutomationsService_${automationId === undefined ? 'Create' : 'Update'}Automation`;
  return { save, error, isBusy, input, operation };
}
