import '@mantine/core/styles/Radio.layer.css';
import { Button, Group, Radio, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type Decision, MAX_NOTE_LENGTH, reasonLabel, TRIAGE_REASONS, type TriageReason } from '../model/decision.ts';
import { closeIgnoreForm } from './ignore-form-store.ts';
import { startOfDay, tomorrowOf } from './local-day.ts';
import { submitOnModEnter } from './submit-on-mod-enter.ts';
import { useDraftText } from './use-draft-text.ts';

interface IgnoreFormProps {
  /** The id of a finding, or the selection. */
  subject: string;
  /** Whether ignoring needs approval. */
  needsApproval: boolean;
  /** The current reason. */
  reason?: TriageReason | undefined;
  onDecide: (decision: Decision) => void;
}

/** Asks for the reason, a comment and an end date. */
export function IgnoreForm({
  subject,
  needsApproval,
  reason: currentReason = 'false_positive',
  onDecide,
}: IgnoreFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [reason, setReason] = useState<TriageReason>(currentReason);
  const [note, setNote] = useDraftText(`ignore ${subject}`);
  const [day, setDay] = useState('');
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input:checked')?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const until = startOfDay(day);
    setNote('');
    onDecide({ state: 'ignored', reason, note: note.trim(), ...(until !== undefined && { until }) });
  };
  const cancel = () => {
    setNote('');
    closeIgnoreForm();
  };
  return (
    <form ref={form} className="finding-ignore" onSubmit={submit} onKeyDown={submitOnModEnter}>
      <Radio.Group label="Why ignore it?" value={reason} onChange={(value) => setReason(value as TriageReason)}>
        <Group gap="md" mt={4}>
          {TRIAGE_REASONS.map((choice) => (
            <Radio key={choice} value={choice} label={reasonLabel(choice)} />
          ))}
        </Group>
      </Radio.Group>
      <Textarea
        label="Comment (optional)"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_NOTE_LENGTH}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="Until (optional)"
        description="The finding reopens on that day. Useful for a risk that is accepted temporarily."
        min={tomorrowOf(new Date())}
        value={day}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button type="submit" size="compact-sm">
          {needsApproval ? 'Ask to ignore' : 'Ignore'}
        </Button>
        <Button size="compact-sm" variant="default" onClick={cancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
