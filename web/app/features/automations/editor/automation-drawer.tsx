import '@mantine/core/styles/SegmentedControl.layer.css';
import { Button, Input, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { asProblem } from '#web/foundation/api/problem.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { activityQuery, type ModeOfAutomation } from '#web/ui/automations/automation-queries.ts';
import { TRIGGER_LABELS } from '#web/ui/automations/automation-types.ts';
import { describeAutomation } from '#web/ui/automations/describe-automation.ts';
import { MODE_LABELS } from '#web/ui/automations/mode-control.tsx';
import { useAutomationNames } from '#web/ui/automations/use-automation-names.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { SideDialog } from '#web/ui/dialog/dialog.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { ActionFields } from './action-fields.tsx';
import './automations.css';
import { type AutomationDraft, automationBody, fieldErrorAt } from './automation-draft.ts';
import { ConditionFields } from './condition-fields.tsx';
import { DraftPreview } from './draft-preview.tsx';
import { useSaveAutomation } from './use-save-automation.ts';

interface AutomationDrawerProps {
  draft: AutomationDraft;
  /** Absent for a new automation. */
  automationId?: string;
  onClose: () => void;
}

const TRIGGER_CHOICES = Object.entries(TRIGGER_LABELS).map(([value, label]) => ({ value, label }));
const MODE_HINTS: Record<ModeOfAutomation, string> = {
  simulate: 'Records what it would send and decide.',
  live: 'Acts when its conditions become true.',
  paused: 'Is kept and does not run.',
};
const MODES = (['simulate', 'live', 'paused'] as const).map((value) => ({ value, label: MODE_LABELS[value] }));

/** The form of an automation, with its sentence, what it matches now, and a try on a finding. */
export function AutomationDrawer({ draft: first, automationId, onClose }: AutomationDrawerProps) {
  const org = useOrg();
  const [draft, setDraft] = useState(first);
  const activity = useQuery(activityQuery(org.id)).data;
  const stored = activity?.activities.find((one) => one.automationId === automationId)?.mode;
  const [chosenMode, setMode] = useState<ModeOfAutomation>();
  const mode = chosenMode ?? stored ?? (automationId !== undefined && !first.active ? 'paused' : 'live');
  const saving = { draft, automationId, mode, storedMode: stored, onDone: onClose };
  const { save, error, isBusy, input, operation } = useSaveAutomation(saving);
  const errors = error === undefined ? [] : asProblem(error).body.errors;
  const { automation } = automationBody(draft);
  const names = useAutomationNames([automation]);
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
      <form id="automation-form" className="automation-form" onSubmit={submit}>
        <p className="automation-sentence">{describeAutomation(automation, names)}</p>
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
        <ActionFields
          actions={draft.actions}
          notCarriedOut={new Map(activity?.notCarriedOut.map(({ type, reason }) => [type, reason]))}
          errors={errors}
          onChange={(actions) => change({ actions })}
        />
      </form>
      <DraftPreview draft={draft} names={names} />
      <div className="automation-form">
        <Input.Wrapper label="Mode" labelElement="div" description={MODE_HINTS[mode]}>
          <SegmentedControl
            aria-label="Mode"
            fullWidth
            data={MODES}
            value={mode}
            onChange={(next) => setMode(next as ModeOfAutomation)}
          />
        </Input.Wrapper>
        {error !== undefined && <ProblemView error={error} />}
        <div className="automation-buttons">
          <CopyAsMenu operationId={operation} input={input} />
          <Button type="submit" form="automation-form" loading={isBusy}>
            {automationId === undefined ? 'Create automation' : 'Save'}
          </Button>
        </div>
      </div>
    </SideDialog>
  );
}
