import { UnstyledButton } from '@mantine/core';
import { Keycaps } from '#web/foundation/keys/keycaps.tsx';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { CodeView } from '#web/ui/text/code-view.tsx';
import { SafeLink } from '#web/ui/text/safe-link.tsx';
import type { Issue } from '../model/queries.ts';
import { type FlowStep, findStep, flowSteps, stepAtOffset } from './data-flow.ts';
import { FindingSection } from './finding-section.tsx';

interface FlowSectionProps {
  issue: Issue;
  /** The number of the selected step, as in the URL. */
  step: string | undefined;
  onStep: (step: string) => void;
}

/** The data flow from source to sink, step by step. */
export function DataFlowSection({ issue, step, onStep }: FlowSectionProps) {
  const steps = flowSteps(issue.dataflowTrace);
  const current = findStep(steps, step);
  const go = (by: number) => () => {
    const next = stepAtOffset(steps, current, by);
    if (next) onStep(String(next.number));
  };
  useShortcuts(steps.length > 1 ? { nextStep: go(1), previousStep: go(-1) } : {});
  if (!current) return null;
  return (
    <FindingSection
      title="Data flow"
      aside={
        <span className="finding-hint">
          <Keycaps name="previousStep" /> <Keycaps name="nextStep" />
        </span>
      }
    >
      <ol className="finding-flow">
        {steps.map((item) => (
          <li key={item.number}>
            <UnstyledButton
              className="finding-step"
              aria-current={item === current ? 'step' : undefined}
              onClick={() => onStep(String(item.number))}
            >
              <span className="finding-step-role">{item.role}</span>
              <code>
                {item.path}:{item.line}
              </code>
            </UnstyledButton>
          </li>
        ))}
      </ol>
      <CurrentStep step={current} count={steps.length} />
    </FindingSection>
  );
}

function CurrentStep({ step, count }: { step: FlowStep; count: number }) {
  const lines = step.code.split('\n').map((text, index) => ({ number: step.line + index, text, isMarked: false }));
  return (
    <div aria-live="polite">
      <p className="finding-step-name">
        {step.role} ({step.number} of {count}):{' '}
        <SafeLink href={step.url}>
          {step.path}:{step.line}
        </SafeLink>
      </p>
      {step.code !== '' && <CodeView label={`Code of step ${step.number}`} lines={lines} />}
    </div>
  );
}
