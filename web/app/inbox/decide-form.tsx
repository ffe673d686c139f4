import { Button, Group, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { asProblem } from '#web/api/problem.ts';
import { inbox } from '#web/api/services.ts';
import { dayOf, startOfDay, tomorrow } from '#web/finding/activity.ts';
import { submitOnModEnter } from '#web/finding/submit-key.ts';
import { useTriage } from '#web/findings/triage.ts';
import { useOrg } from '#web/org/org.ts';
import { ProblemView } from '#web/parts/states.tsx';
import { say } from '#web/shell/say.ts';
import { sayWithUndo } from '#web/shell/undo.tsx';
import { type ApprovalRequest, approvalsQuery } from './queries.ts';

interface DecideFormProps {
  request: ApprovalRequest;
  isApproved: boolean;
  onClose: () => void;
  /** Told before the request leaves the list. */
  onDone: () => void;
}

/** The answer to a request: with a reply, and for a shorter time if need be. */
export function DecideForm({ request, isApproved, onClose, onDone }: DecideFormProps) {
  const { id: deployment } = useOrg();
  const queryClient = useQueryClient();
  const { undo } = useTriage();
  const form = useRef<HTMLFormElement>(null);
  const asked = request.until === undefined ? '' : dayOf(new Date(request.until));
  const [note, setNote] = useState('');
  const [day, setDay] = useState(asked);
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  const fields = error === undefined ? {} : asProblem(error).fieldErrors();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    // The moment that was asked for may lie within its day, so that only another day replaces it.
    const until = isApproved && day !== asked ? startOfDay(day) : undefined;
    try {
      const { batchId } = await inbox.decideException({
        path: { deployment, requestId: request.requestId },
        body: { isApproved, ...(note.trim() !== '' && { note: note.trim() }), ...(until !== undefined && { until }) },
      });
      if (batchId !== undefined)
        sayWithUndo(`ISS-${request.issueId}: approved, it is ignored now`, () => undo([batchId], [request.issueId]));
      else say(`ISS-${request.issueId}: ${isApproved ? 'approved' : 'denied'}`);
      onDone();
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: approvalsQuery(deployment).queryKey }),
        queryClient.invalidateQueries({ queryKey: [deployment, 'counts'] }),
        queryClient.invalidateQueries({ queryKey: [deployment, 'issue', request.issueId] }),
      ]);
    } catch (problem) {
      setError(problem);
      setIsBusy(false);
    }
  };
  return (
    <form ref={form} className="inbox-form" onSubmit={(event) => void submit(event)} onKeyDown={submitOnModEnter}>
      <Textarea
        label="Reply (optional)"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={3000}
        value={note}
        error={fields['note']}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {isApproved && (
        <TextInput
          type="date"
          label="Until (optional)"
          min={tomorrow(new Date())}
          value={day}
          error={fields['until']}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
      )}
      {error !== undefined && Object.keys(fields).length === 0 && <ProblemView error={error} />}
      <Group gap="xs">
        <Button type="submit" size="compact-sm" loading={isBusy}>
          {isApproved ? 'Approve' : 'Deny'}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
