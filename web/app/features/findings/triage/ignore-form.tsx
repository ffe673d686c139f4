import '@mantine/core/styles/Radio.layer.css';
import { Button, Group, Radio, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import {
  type Decision,
  reasonLabel,
  TRIAGE_REASONS,
  type TriageReason,
} from '#web/features/findings/model/decision.ts';
import { startOfDay, tomorrowOf } from './activity-history.ts';
import { closeIgnoreForm } from './ignore-form-store.ts';
import { submitOnModEnter } from './submit-on-mod-enter.ts';
import { useDraftText } from './use-draft-text.ts';

const LONGEST_NOTE = 3000;

interface IgnoreFormProps {
  /** What would be ignored: a finding by its id, or what is selected. */
  subject: string;
  /** Ignoring needs an approval, so it is asked for. */
  isAsked: boolean;
  /** The reason that holds now. */
  reason?: TriageReason | undefined;
  onDecide: (decision: Decision) => void;
}

/** Why it is ignored, in a word and a comment, and until when. */
export function IgnoreForm({ subject, isAsked, reason: before = 'false_positive', onDecide }: IgnoreFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [reason, setReason] = useState<TriageReason>(before);
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
          {TRIAGE_REASONS.map((one) => (
            <Radio key={one} value={one} label={reasonLabel(one)} />
          ))}
        </Group>
      </Radio.Group>
      <Textarea
        label="Comment (optional)"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={LONGEST_NOTE}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="Until (optional)"
        description="It opens again on that day; wise for a risk that is only accepted for now."
        min={tomorrowOf(new Date())}
        value={day}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button type="submit" size="compact-sm">
          {isAsked ? 'Ask to ignore' : 'Ignore'}
        </Button>
        <Button size="compact-sm" variant="default" onClick={cancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
