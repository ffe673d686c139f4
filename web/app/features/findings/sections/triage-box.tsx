import { Button, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { REASON_LABELS } from '#web/foundation/format/labels.ts';
import { Keycaps } from '#web/foundation/keys/keycaps.tsx';
import type { ShortcutName } from '#web/foundation/keys/shortcuts.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { StateChip, StateIcon } from '#web/ui/badges/finding-chips.tsx';
import { type FindingState, nextStates, type TriageState } from '#web/ui/badges/finding-state.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { Markdown } from '#web/ui/text/markdown.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { TRIAGE_REASONS, type TriageReason } from '../model/decision.ts';
import { usePendingDecision } from '../model/pending-decisions.ts';
import { evidenceQuery, type Issue } from '../model/queries.ts';
import { latestDecision } from '../triage/activity-history.ts';
import { IgnoreForm } from '../triage/ignore-form.tsx';
import { openIgnoreForm, useIsIgnoreFormOpen } from '../triage/ignore-form-store.ts';
import { AssigneeLine } from './assignee-line.tsx';
import './triage-box.css';
import { CONFIRMED_FALSE_POSITIVE } from '../triage/triage-shortcuts.ts';
import { useDecide, useFindingState } from '../triage/use-decide.ts';

const SHORTCUTS_OF: Partial<Record<TriageState, ShortcutName>> = {
  open: 'setOpen',
  reviewing: 'setReviewing',
  fixing: 'setFixing',
  ignored: 'ignoreWithComment',
};

function labelOf(step: TriageState, state: FindingState, needsApproval: boolean): string {
  if (state === 'provisional') return step === 'ignored' ? 'Agree: ignore' : 'Disagree: open';
  if (step === 'ignored') return needsApproval ? 'Ask to ignore…' : 'Ignore…';
  return { open: 'Open', reopened: 'Reopen', reviewing: 'Reviewing', fixing: 'To fix', provisional: '' }[step];
}

const reasonOf = ({ triageReason }: Issue): TriageReason | undefined =>
  TRIAGE_REASONS.find((reason) => triageReason === `FINDING_TRIAGE_REASON_${reason.toUpperCase()}`);

/** The current decision and the possible next ones. */
export function TriageBox({ issue }: { issue: Issue }) {
  const state = useFindingState(issue);
  const isFormOpen = useIsIgnoreFormOpen(issue.id);
  const decide = useDecide(issue.id);
  const needsApproval = issue.triagePermission === 'TRIAGE_PERMISSION_REQUEST';
  const choose = (step: TriageState) => {
    if (step === 'ignored' && state !== 'provisional') openIgnoreForm(issue.id);
    else decide(step === 'ignored' ? CONFIRMED_FALSE_POSITIVE : { state: step });
  };
  return (
    <section className="finding-triage" aria-label="Decision">
      <CurrentState issue={issue} state={state} />
      <div className="finding-steps no-print">
        {nextStates(state).map((step) => (
          <PermissionGate key={step} permission="issue:triage">
            {(isDisabled) => (
              <Tooltip label={<StepHint step={step} state={state} />} disabled={isDisabled}>
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<StateIcon state={step} />}
                  disabled={isDisabled}
                  onClick={() => choose(step)}
                >
                  {labelOf(step, state, needsApproval)}
                </Button>
              </Tooltip>
            )}
          </PermissionGate>
        ))}
      </div>
      <FinalStateHint issue={issue} state={state} />
      <AssigneeLine issue={issue} />
      {isFormOpen && (
        <IgnoreForm subject={issue.id} needsApproval={needsApproval} reason={reasonOf(issue)} onDecide={decide} />
      )}
    </section>
  );
}

function StepHint({ step, state }: { step: TriageState; state: FindingState }) {
  if (state === 'provisional') return <Keycaps name={step === 'ignored' ? 'agree' : 'disagree'} />;
  const key = SHORTCUTS_OF[step] ?? 'setOpen';
  return <Keycaps name={key} />;
}

/** The current state: decided by whom, why and until when. */
function CurrentState({ issue, state }: { issue: Issue; state: FindingState }) {
  const decided = usePendingDecision(issue.id);
  const decision = latestDecision(issue.activityHistory);
  const isDecided = state !== 'open' && state !== 'fixed' && state !== 'removed';
  const reason = state === 'ignored' ? REASON_LABELS[issue.triageReason ?? ''] : undefined;
  const isSaving = decided?.kind === 'saving';
  return (
    <div aria-live="polite">
      <p className="finding-now">
        <StateChip state={state} />
        {reason !== undefined && <span>{reason}</span>}
        {isDecided && decision && !isSaving && (
          <span className="dimmed">
            by {decision.actor}, <RelativeTime at={decision.date} />
          </span>
        )}
        {isDecided && !isSaving && <Until issue={issue} />}
        {isSaving && <span className="dimmed">Saving…</span>}
      </p>
      {decided?.kind === 'refused' && (
        <p className="finding-refused">Not changed: {decided.problem?.detail ?? 'the server refused it.'}</p>
      )}
      {issue.note !== '' && isDecided && <Markdown text={issue.note} />}
      {state === 'provisional' && issue.autotriage && <Markdown text={issue.autotriage.reason} />}
      <PendingRequest issue={issue} />
    </div>
  );
}

/** When the decision expires. */
function Until({ issue }: { issue: Issue }) {
  const org = useOrg();
  const { data } = useQuery(evidenceQuery(org.id, issue.id));
  const until = data?.events.find(({ kind }) => kind === 'triaged')?.after['until'];
  if (typeof until !== 'string') return null;
  return (
    <span className="dimmed">
      expires <RelativeTime at={until} />
    </span>
  );
}

function PendingRequest({ issue }: { issue: Issue }) {
  const request = issue.exceptionRequest;
  if (request?.exceptionState !== 'FINDING_EXCEPTION_REQUEST_STATE_REQUESTED') return null;
  return (
    <p className="dimmed">
      {request.requesterName || request.requesterLogin} asked to ignore it <RelativeTime at={request.createdAt} />
      {request.requesterNote !== '' && `: “${request.requesterNote}”`}
    </p>
  );
}

function FinalStateHint({ issue, state }: { issue: Issue; state: FindingState }) {
  const text =
    state === 'fixed'
      ? 'Scans no longer find it. It reopens automatically when a scan finds it again.'
      : state === 'removed'
        ? 'Its rule, file or branch is no longer scanned.'
        : issue.aggregateState === 'AGGREGATE_ISSUE_STATE_IGNORED_CODE'
          ? 'A comment in the code ignores it. Remove the comment to reopen it.'
          : '';
  return text === '' ? null : <p className="dimmed finding-why-no-step">{text}</p>;
}
