import { Button, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { REASON_LABELS } from '#web/foundation/format/labels.ts';
import { notify, notifyProblem } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { Markdown } from '#web/ui/text/markdown.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { MAX_NOTE_LENGTH } from '../model/decision.ts';
import { evidenceQuery, type HistoryEntry, type Issue } from '../model/queries.ts';
import { undoBatchOf } from '../triage/activity-history.ts';
import { submitOnModEnter } from '../triage/submit-on-mod-enter.ts';
import { useDraftText } from '../triage/use-draft-text.ts';
import { useTriage } from '../triage/use-triage.ts';
import { FindingSection } from './finding-section.tsx';
import { useNote } from './use-note.ts';

/** The history, newest first, with an undo for each decision and a form for a note. */
export function ActivitySection({ issue }: { issue: Issue }) {
  const org = useOrg();
  const { data } = useQuery(evidenceQuery(org.id, issue.id));
  return (
    <FindingSection title="Activity">
      <NoteForm issue={issue} />
      <ol className="finding-timeline">
        {issue.activityHistory.filter(isNoComment).map((entry) => (
          <ActivityEntry
            key={`${entry.date} ${entry.title} ${entry.historyType}`}
            entry={entry}
            issueId={issue.id}
            batchId={undoBatchOf(entry, data?.events ?? [])}
          />
        ))}
      </ol>
    </FindingSection>
  );
}

/** Comments have a section of their own. */
const isNoComment = ({ title }: HistoryEntry) => title !== 'Commented';

function ActivityEntry({
  entry,
  issueId,
  batchId,
}: {
  entry: HistoryEntry;
  issueId: string;
  batchId: string | undefined;
}) {
  const { undo } = useTriage();
  const undoDecision = async (batch: string) => {
    try {
      await undo([batch], [issueId]);
      notify('Undone for all findings of that decision');
    } catch (error) {
      notifyProblem(error);
    }
  };
  const reason = REASON_LABELS[entry.triageReason];
  return (
    <li>
      <p>
        <strong>{entry.title}</strong>
        {reason !== undefined && ` (${reason.toLowerCase()})`}{' '}
        <span className="dimmed">
          {entry.actor !== '' && `by ${entry.actor}, `}
          <RelativeTime at={entry.date} />
        </span>{' '}
        {batchId !== undefined && (
          <PermissionGate permission="issue:triage">
            {(isDisabled) => (
              <Button
                size="compact-xs"
                variant="default"
                className="no-print"
                disabled={isDisabled}
                aria-label={`Undo: ${entry.title}`}
                onClick={() => void undoDecision(batchId)}
              >
                Undo
              </Button>
            )}
          </PermissionGate>
        )}
      </p>
      {entry.note !== '' && <Markdown text={entry.note} />}
    </li>
  );
}

function NoteForm({ issue }: { issue: Issue }) {
  const [text, setText] = useDraftText(`note ${issue.id}`);
  const { send, isBusy } = useNote(issue.id);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && (await send(text.trim()))) setText('');
  };
  return (
    <form className="finding-note no-print" onSubmit={(event) => void submit(event)}>
      <Textarea
        label="Note"
        description="The reason of the decision; replaces the previous note. Markdown is supported."
        autosize
        minRows={1}
        maxRows={8}
        maxLength={MAX_NOTE_LENGTH}
        readOnly={isBusy}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={submitOnModEnter}
      />
      <PermissionGate permission="issue:triage">
        {(isDisabled) => (
          <Button
            type="submit"
            size="compact-sm"
            variant="default"
            loading={isBusy}
            disabled={isDisabled || text.trim() === ''}
          >
            Save note
          </Button>
        )}
      </PermissionGate>
    </form>
  );
}
