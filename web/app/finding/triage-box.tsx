import { Button, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDecided } from '#web/findings/decided.ts';
import { REASONS, type Reason } from '#web/findings/decision.ts';
import { Keycaps } from '#web/keys/keycaps.tsx';
import type { KeyName } from '#web/keys/table.ts';
import { REASON_LABELS } from '#web/labels.ts';
import { useOrg } from '#web/org/org.ts';
import { Allowed } from '#web/parts/allowed.tsx';
import { StateChip, StateGlyph } from '#web/parts/finding-chips.tsx';
import { type FindingState, nextStates, type TriageStep } from '#web/parts/finding-state.ts';
import { Markdown } from '#web/parts/markdown.tsx';
import { When } from '#web/parts/when.tsx';
import { latestDecision } from './activity.ts';
import { IgnoreForm } from './ignore-form.tsx';
import { openIgnoreForm, useIsIgnoreFormOpen } from './ignore-form-store.ts';
import { evidenceQuery, type Issue } from './queries.ts';
import './triage.css';
import { AGREED, useDecide, useStateOf } from './use-decide.ts';

const KEYS_OF: Partial<Record<TriageStep, KeyName>> = {
  open: 'setOpen',
  reviewing: 'setReviewing',
  fixing: 'setFixing',
  ignored: 'ignoreWithComment',
};

function labelOf(step: TriageStep, state: FindingState, isAsked: boolean): string {
  if (state === 'provisional') return step === 'ignored' ? 'Agree: ignore' : 'Disagree: open';
  if (step === 'ignored') return isAsked ? 'Ask to ignore…' : 'Ignore…';
  return { open: 'Open', reopened: 'Reopen', reviewing: 'Reviewing', fixing: 'To fix', provisional: '' }[step];
}

const reasonOf = ({ triageReason }: Issue): Reason | undefined =>
  REASONS.find((reason) => triageReason === `FINDING_TRIAGE_REASON_${reason.toUpperCase()}`);

/** What was decided, and what can be decided next. */
export function TriageBox({ issue }: { issue: Issue }) {
  const state = useStateOf(issue);
  const isFormOpen = useIsIgnoreFormOpen(issue.id);
  const decide = useDecide(issue.id);
  const isAsked = issue.triagePermission === 'TRIAGE_PERMISSION_REQUEST';
  const choose = (step: TriageStep) => {
    if (step === 'ignored' && state !== 'provisional') openIgnoreForm(issue.id);
    else decide(step === 'ignored' ? AGREED : { state: step });
  };
  return (
    <section className="finding-triage" aria-label="Decision">
      <Now issue={issue} state={state} />
      <div className="finding-steps no-print">
        {nextStates(state).map((step) => (
          <Allowed key={step} permission="issue:triage">
            {(isDisabled) => (
              <Tooltip label={<StepHint step={step} state={state} />} disabled={isDisabled}>
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<StateGlyph state={step} />}
                  disabled={isDisabled}
                  onClick={() => choose(step)}
                >
                  {labelOf(step, state, isAsked)}
                </Button>
              </Tooltip>
            )}
          </Allowed>
        ))}
      </div>
      <WhyNoStep issue={issue} state={state} />
      {isFormOpen && <IgnoreForm subject={issue.id} isAsked={isAsked} reason={reasonOf(issue)} onDecide={decide} />}
    </section>
  );
}

function StepHint({ step, state }: { step: TriageStep; state: FindingState }) {
  if (state === 'provisional') return <Keycaps name={step === 'ignored' ? 'agree' : 'disagree'} />;
  const key = KEYS_OF[step] ?? 'setOpen';
  return <Keycaps name={key} />;
}

/** What holds now: who said so, why, and until when. */
function Now({ issue, state }: { issue: Issue; state: FindingState }) {
  const decided = useDecided(issue.id);
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
            by {decision.actor}, <When at={decision.date} />
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
      ends <When at={until} />
    </span>
  );
}

function Asked({ issue }: { issue: Issue }) {
  const request = issue.exceptionRequest;
  if (request?.exceptionState !== 'FINDING_EXCEPTION_REQUEST_STATE_REQUESTED') return null;
  return (
    <p className="dimmed">
      {request.requesterName || request.requesterLogin} asked to ignore it <When at={request.createdAt} />
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
