import { Button } from '@mantine/core';
import { StateChip, StateIcon, TypeChip } from '#web/ui/badges/finding-chips.tsx';
import { nextStates, type TriageState } from '#web/ui/badges/finding-state.ts';
import { SeverityChip, severityOf } from '#web/ui/badges/severity.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { reasonLabel, type TriageReason } from '../model/decision.ts';
import { workflowFindingId } from '../model/finding-id.ts';
import { pendingState, usePendingDecision } from '../model/pending-decisions.ts';
import { DETECTION_LABELS, type LoadedWorkflowIssue, workflowState } from '../model/workflow-issue.ts';
import { closeIgnoreForm, openIgnoreForm, useIsIgnoreFormOpen } from '../triage/ignore-form-store.ts';
import { useDecide } from '../triage/use-decide.ts';
import './workflow-issue.css';

const STEP_LABELS = {
  open: 'Open',
  reopened: 'Reopen',
  reviewing: 'Reviewing',
  fixing: 'To fix',
  provisional: '',
  ignored: 'Ignore…',
} as const;

/** The reasons that PublicIssuesService accepts; it stores no comments. */
const REASONS: readonly TriageReason[] = ['false_positive', 'acceptable_risk', 'no_time'];

function TriageControls({ issue }: { issue: LoadedWorkflowIssue }) {
  const listId = workflowFindingId(issue.id);
  const decided = usePendingDecision(listId);
  const state = pendingState(decided, issue.loadedAtRevision) ?? workflowState(issue);
  const decide = useDecide(listId);
  const isReasonOpen = useIsIgnoreFormOpen(listId);
  const choose = (step: TriageState) => (step === 'ignored' ? openIgnoreForm(listId) : decide({ state: step }));
  return (
    <section aria-label="Decision">
      <div className="findings-workflow-triage" aria-live="polite">
        <StateChip state={state} />
        {nextStates(state).map((step) => (
          <StepButton key={step} state={step} label={STEP_LABELS[step]} onClick={() => choose(step)} />
        ))}
        {decided?.kind === 'refused' && (
          <span className="findings-refused">not changed: {decided.problem?.detail}</span>
        )}
      </div>
      {isReasonOpen && (
        <fieldset className="findings-workflow-triage" aria-label="Reason for ignoring">
          {REASONS.map((reason) => (
            <StepButton key={reason} label={reasonLabel(reason)} onClick={() => decide({ state: 'ignored', reason })} />
          ))}
          <Button size="compact-sm" variant="subtle" onClick={closeIgnoreForm}>
            Cancel
          </Button>
        </fieldset>
      )}
    </section>
  );
}

function StepButton({ state, label, onClick }: { state?: TriageState; label: string; onClick: () => void }) {
  return (
    <PermissionGate permission="issue:triage">
      {(isDisabled) => (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isDisabled}
          leftSection={state && <StateIcon state={state} />}
          onClick={onClick}
        >
          {label}
        </Button>
      )}
    </PermissionGate>
  );
}

function Facts({ issue }: { issue: LoadedWorkflowIssue }) {
  const facts: [name: string, values: readonly string[]][] = [
    ['Files', issue.filePaths],
    ['Workflows', issue.workflowIds],
    ['Triggered by', issue.triggerSources],
    ['Dependencies', issue.directDependencies],
    ['Domains', issue.domains],
    ['Weakness', issue.cwes],
    ['OWASP', issue.owasps],
    ['Actions', issue.actions],
  ];
  return (
    <dl className="findings-workflow-facts">
      {facts
        .filter(([, values]) => values.length > 0)
        .map(([name, values]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{values.join(', ')}</dd>
          </div>
        ))}
      <div>
        <dt>Detection</dt>
        <dd>
          {DETECTION_LABELS[issue.detectionState]}, last <RelativeTime at={issue.lastDetectedAt} />
        </dd>
      </div>
      <div>
        <dt>First seen</dt>
        <dd>
          <RelativeTime at={issue.createdAt} />
        </dd>
      </div>
    </dl>
  );
}

/** A workflow issue: its facts, its reasoning and its triage. */
export function WorkflowIssueContent({ issue, level: Heading }: { issue: LoadedWorkflowIssue; level: 'h2' | 'h3' }) {
  return (
    <>
      <p className="findings-workflow-chips">
        <SeverityChip severity={severityOf(issue.severity)} /> <TypeChip type="ISSUE_TYPE_WORKFLOW" />
      </p>
      <TriageControls issue={issue} />
      {issue.description !== '' && <p className="findings-workflow-text">{issue.description}</p>}
      {issue.reasoning !== '' && <Heading>Why</Heading>}
      {issue.reasoning !== '' && <p className="findings-workflow-text">{issue.reasoning}</p>}
      <Heading>Facts</Heading>
      <Facts issue={issue} />
    </>
  );
}
