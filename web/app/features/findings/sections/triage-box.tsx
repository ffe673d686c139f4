import { Button, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TRIAGE_REASONS, type TriageReason } from '#web/features/findings/model/decision.ts';
import { usePendingDecision } from '#web/features/findings/model/pending-decisions.ts';
import { REASON_LABELS } from '#web/foundation/format/labels.ts';
import { Keycaps } from '#web/foundation/keys/keycaps.tsx';
import type { ShortcutName } from '#web/foundation/keys/shortcuts.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { StateChip, StateIcon } from '#web/ui/badges/finding-chips.tsx';
import { type FindingState, nextStates, type TriageState } from '#web/ui/badges/finding-state.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { Markdown } from '#web/ui/text/markdown.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { evidenceQuery, type Issue } from '../model/queries.ts';
import { latestDecision } from '../triage/activity-history.ts';
import { IgnoreForm } from '../triage/ignore-form.tsx';
import { openIgnoreForm, useIsIgnoreFormOpen } from '../triage/ignore-form-store.ts';
import './triage-box.css';
import { CONFIRMED_FALSE_POSITIVE, useDecide, useFindingState } from '../triage/use-decide.ts';

const KEYS_OF: Partial<Record<TriageState, ShortcutName>> = {
  open: 'setOpen',
  reviewing: 'setReviewing',
  fixing: 'setFixing',
  ignored: 'ignoreWithComment',
};

function labelOf(step: TriageState, state: FindingState, isAsked: boolean): string {
  if (state === 'provisional') return step === 'ignored' ? 'Agree: ignore' : 'Disagree: open';
  if (step === 'ignored') return isAsked ? 'Ask to ignore…' : 'Ignore…';
  return { open: 'Open', reopened: 'Reopen', reviewing: 'Reviewing', fixing: 'To fix', provisional: '' }[step];
}

const reasonOf = ({ triageReason }: Issue): TriageReason | undefined =>
  TRIAGE_REASONS.find((reason) => triageReason === `FINDING_TRIAGE_REASON_${reason.toUpperCase()}`);

/** What was decided, and what can be decided next. */
export function TriageBox({ issue }: { issue: Issue }) {
  const state = useFindingState(issue);
  const isFormOpen = useIsIgnoreFormOpen(issue.id);
  const decide = useDecide(issue.id);
  const isAsked = issue.triagePermission === 'TRIAGE_PERMISSION_REQUEST';
  const choose = (step: TriageState) => {
    if (step === 'ignored' && state !== 'provisional') openIgnoreForm(issue.id);
    else decide(step === 'ignored' ? CONFIRMED_FALSE_POSITIVE : { state: step });
  };
  return (
    <section className="finding-triage" aria-label="Decision">
      <Now issue={issue} state={state} />
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
                  {labelOf(step, state, isAsked)}
                </Button>
              </Tooltip>
            )}
          </PermissionGate>
        ))}
      </div>
      <WhyNoStep issue={issue} state={state} />
      {isFormOpen && <IgnoreForm subject={issue.id} isAsked={isAsked} reason={reasonOf(issue)} onDecide={decide} />}
    </section>
  );
}

function StepHint({ step, state }: { step: TriageState; state: FindingState }) {
  if (state === 'provisional') return <Keycaps name={step === 'ignored' ? 'agree' : 'disagree'} />;
  const key = KEYS_OF[step] ?? 'setOpen';
  return <Keycaps name={key} />;
}

/** What holds now: who said so, why, and until when. */
function Now({ issue, state }: { issue: Issue; state: FindingState }) {
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
      <Asked issue={issue} />
    </div>
  );
}

/** When the decision ends by itself. */
function Until({ issue }: { issue: Issue }) {
  const org = useOrg();
  const { data } = useQuery(evidenceQuery(org.id, issue.id));
  const until = data?.events.find(({ kind }) => kind === 'triaged')?.after['until'];
  if (typeof until !== 'string') return null;
  return (
    <span className="dimmed">
      ends <RelativeTime at={until} />
    </span>
  );
}

function Asked({ issue }: { issue: Issue }) {
  const request = issue.exceptionRequest;
  if (request?.exceptionState !== 'FINDING_EXCEPTION_REQUEST_STATE_REQUESTED') return null;
  return (
    <p className="dimmed">
      {request.requesterName || request.requesterLogin} asked to ignore it <RelativeTime at={request.createdAt} />
      {request.requesterNote !== '' && `: “${request.requesterNote}”`}
    </p>
  );
}

function WhyNoStep({ issue, state }: { issue: Issue; state: FindingState }) {
  const words =
    state === 'fixed'
      ? 'A scan no longer finds it. It opens again by itself when a scan does.'
      : state === 'removed'
        ? 'Its rule, file or branch is no longer scanned.'
        : issue.aggregateState === 'AGGREGATE_ISSUE_STATE_IGNORED_CODE'
          ? 'A comment in the code says to ignore it: remove the comment to open it again.'
          : '';
  return words === '' ? null : <p className="dimmed finding-why-no-step">{words}</p>;
}
