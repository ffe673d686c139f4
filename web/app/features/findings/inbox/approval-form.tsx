import { Button, Group, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { asProblem } from '#web/foundation/api/problem.ts';
import { inbox } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { notifyWithUndo } from '#web/foundation/notify/notify-with-undo.tsx';
import { useOrg } from '#web/foundation/session/org.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { MAX_NOTE_LENGTH } from '../model/decision.ts';
import { dayOf, startOfDay, tomorrowOf } from '../triage/local-day.ts';
import { submitOnModEnter } from '../triage/submit-on-mod-enter.ts';
import { useTriage } from '../triage/use-triage.ts';
import { type ApprovalRequest, approvalsQuery } from './queries.ts';

interface DecideFormProps {
  request: ApprovalRequest;
  isApproved: boolean;
  onClose: () => void;
  /** Called before the request is removed from the list. */
  onDone: () => void;
}

/** Approves or denies a request, with a reply and an optional end date. */
export function ApprovalForm({ request, isApproved, onClose, onDone }: DecideFormProps) {
  const { id: deployment } = useOrg();
  const queryClient = useQueryClient();
  const { undo } = useTriage();
  const form = useRef<HTMLFormElement>(null);
  const requestedDay = request.until === undefined ? '' : dayOf(new Date(request.until));
  const [note, setNote] = useState('');
  const [day, setDay] = useState(requestedDay);
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  const fields = error === undefined ? {} : asProblem(error).fieldErrors();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    // The requested time may lie within its day, so it is replaced only if the day was changed.
    const until = isApproved && day !== requestedDay ? startOfDay(day) : undefined;
    try {
      const { batchId } = await inbox.decideException({
        path: { deployment, requestId: request.requestId },
        body: { isApproved, ...(note.trim() !== '' && { note: note.trim() }), ...(until !== undefined && { until }) },
      });
      if (batchId !== undefined)
        notifyWithUndo(`ISS-${request.issueId}: approved and ignored`, () => undo([batchId], [request.issueId]));
      else notify(`ISS-${request.issueId}: ${isApproved ? 'approved' : 'denied'}`);
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
        maxLength={MAX_NOTE_LENGTH}
        value={note}
        error={fields['note']}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {isApproved && (
        <TextInput
          type="date"
          label="Until (optional)"
          min={tomorrowOf(new Date())}
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
