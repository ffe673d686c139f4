import { Button } from '@mantine/core';
import { closeIgnoreForm, openIgnoreForm, useIsIgnoreFormOpen } from '#web/finding/ignore-form-store.ts';
import { useDecide } from '#web/finding/use-decide.ts';
import { Allowed } from '#web/parts/allowed.tsx';
import { StateChip, StateGlyph, TypeChip } from '#web/parts/finding-chips.tsx';
import { nextStates, type TriageStep } from '#web/parts/finding-state.ts';
import { SeverityChip, severityOf } from '#web/parts/severity.tsx';
import { When } from '#web/parts/when.tsx';
import { stateBy, useDecided } from '../decided.ts';
import { type Reason, reasonLabel } from '../decision.ts';
import { workflowLineId } from '../kinds.ts';
import { DETECTIONS, type ShownIssue, workflowState } from './row.ts';
import './workflows.css';

const LABELS = {
  open: 'Open',
  reopened: 'Reopen',
  reviewing: 'Reviewing',
  fixing: 'To fix',
  provisional: '',
  ignored: 'Ignore…',
} as const;

/** The reasons that this part of the API knows; it keeps no comments. */
const REASONS: readonly Reason[] = ['false_positive', 'acceptable_risk', 'no_time'];

function Decide({ issue }: { issue: ShownIssue }) {
  const lineId = workflowLineId(issue.id);
  const decided = useDecided(lineId);
  const state = stateBy(decided, issue.askedAt) ?? workflowState(issue);
  const decide = useDecide(lineId);
  const isChoosing = useIsIgnoreFormOpen(lineId);
  const choose = (step: TriageStep) => (step === 'ignored' ? openIgnoreForm(lineId) : decide({ state: step }));
  return (
    <section aria-label="Decision">
      <div className="findings-workflow-triage" aria-live="polite">
        <StateChip state={state} />
        {nextStates(state).map((step) => (
          <Step key={step} state={step} label={LABELS[step]} onClick={() => choose(step)} />
        ))}
        {decided?.kind === 'refused' && (
          <span className="findings-refused">not changed: {decided.problem?.detail}</span>
        )}
      </div>
      {isChoosing && (
        <fieldset className="findings-workflow-triage" aria-label="Why it is ignored">
          {REASONS.map((reason) => (
            <Step key={reason} label={reasonLabel(reason)} onClick={() => decide({ state: 'ignored', reason })} />
          ))}
          <Button size="compact-sm" variant="subtle" onClick={closeIgnoreForm}>
            Cancel
          </Button>
        </fieldset>
      )}
    </section>
  );
}

function Step({ state, label, onClick }: { state?: TriageStep; label: string; onClick: () => void }) {
  return (
    <Allowed permission="issue:triage">
      {(isDisabled) => (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isDisabled}
          leftSection={state && <StateGlyph state={state} />}
          onClick={onClick}
        >
          {label}
        </Button>
      )}
    </Allowed>
  );
}

function Facts({ issue }: { issue: ShownIssue }) {
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
          {DETECTIONS[issue.detectionState]}, last <When at={issue.lastDetectedAt} />
        </dd>
      </div>
      <div>
        <dt>First seen</dt>
        <dd>
          <When at={issue.createdAt} />
        </dd>
      </div>
    </dl>
  );
}

/** What an Agentic Workflow found and why, and what can be decided about it. */
export function WorkflowContent({ issue, level: Heading }: { issue: ShownIssue; level: 'h2' | 'h3' }) {
  return (
    <>
      <p className="findings-workflow-chips">
        <SeverityChip severity={severityOf(issue.severity)} /> <TypeChip type="ISSUE_TYPE_WORKFLOW" />
      </p>
      <Decide issue={issue} />
      {issue.description !== '' && <p className="findings-workflow-text">{issue.description}</p>}
      {issue.reasoning !== '' && <Heading>Why</Heading>}
      {issue.reasoning !== '' && <p className="findings-workflow-text">{issue.reasoning}</p>}
      <Heading>Facts</Heading>
      <Facts issue={issue} />
    </>
  );
}
