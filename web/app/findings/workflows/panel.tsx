import { ActionIcon, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { closeOnEscape } from '#web/finding/close-on-escape.ts';
import '#web/finding/panel.css';
import { useOrg } from '#web/org/org.ts';
import { Allowed } from '#web/parts/allowed.tsx';
import { StateChip, StateGlyph } from '#web/parts/finding-chips.tsx';
import { nextStates } from '#web/parts/finding-state.ts';
import { SeverityChip, severityOf } from '#web/parts/severity.tsx';
import { LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { When } from '#web/parts/when.tsx';
import { useDecided } from '../decided.ts';
import type { Decision } from '../decision.ts';
import { workflowIssueQuery } from './queries.ts';
import { DETECTIONS, lineIdOf, type WorkflowIssue, workflowState } from './row.ts';

interface WorkflowPanelProps {
  issueId: string;
  onClose: () => void;
  onDecide: (decision: Decision) => void;
}

const LABELS = {
  open: 'Open',
  reopened: 'Reopen',
  reviewing: 'Reviewing',
  fixing: 'To fix',
  provisional: '',
  ignored: 'Ignore: false positive',
} as const;

function Decide({ issue, onDecide }: { issue: WorkflowIssue; onDecide: WorkflowPanelProps['onDecide'] }) {
  const decided = useDecided(lineIdOf(issue.id));
  const isNewer = decided !== undefined && decided.kind !== 'refused';
  const state = isNewer ? decided.decision.state : workflowState(issue);
  return (
    <div className="findings-workflow-triage" aria-live="polite">
      <StateChip state={state} />
      {nextStates(state).map((step) => (
        <Allowed key={step} permission="issue:triage">
          {(isDisabled) => (
            <Button
              size="compact-sm"
              variant="default"
              disabled={isDisabled}
              leftSection={<StateGlyph state={step} />}
              onClick={() => onDecide(step === 'ignored' ? { state: step, reason: 'false_positive' } : { state: step })}
            >
              {LABELS[step]}
            </Button>
          )}
        </Allowed>
      ))}
    </div>
  );
}

function Facts({ issue }: { issue: WorkflowIssue }) {
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

/** What an Agentic Workflow found, beside the list. */
export function WorkflowPanel({ issueId, onClose, onDecide }: WorkflowPanelProps) {
  const { id: deploymentId } = useOrg();
  const { data, error, refetch } = useQuery(workflowIssueQuery(deploymentId, issueId));
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  return (
    <section
      ref={panel}
      className="finding-panel"
      aria-label="Workflow finding"
      tabIndex={-1}
      onKeyDown={closeOnEscape(onClose)}
    >
      <div className="finding-bar no-print">
        <span className="finding-bar-id">Workflow finding {issueId}</span>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Close" onClick={onClose}>
          <X size={18} />
        </ActionIcon>
      </div>
      {error && <ProblemView error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={6} />}
      {data && (
        <>
          <h2>{data.title}</h2>
          <SeverityChip severity={severityOf(data.severity)} />
          <Decide issue={data} onDecide={onDecide} />
          {data.description !== '' && <p className="findings-workflow-text">{data.description}</p>}
          {data.reasoning !== '' && <h3>Why</h3>}
          {data.reasoning !== '' && <p className="findings-workflow-text">{data.reasoning}</p>}
          <h3>Facts</h3>
          <Facts issue={data} />
        </>
      )}
    </section>
  );
}
