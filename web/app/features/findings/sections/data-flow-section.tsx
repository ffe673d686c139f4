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
  /** The number of the step that is chosen, as text. */
  step: string | undefined;
  onStep: (step: string) => void;
}

/** The way of the data from where it comes in to where it does harm, step by step. */
export function DataFlowSection({ issue, step, onStep }: FlowSectionProps) {
  const steps = flowSteps(issue.dataflowTrace);
  const chosen = findStep(steps, step);
  const go = (by: number) => () => {
    const next = stepAtOffset(steps, chosen, by);
    if (next) onStep(String(next.number));
  };
  useShortcuts(steps.length > 1 ? { nextStep: go(1), previousStep: go(-1) } : {});
  if (!chosen) return null;
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
        {steps.map((one) => (
          <li key={one.number}>
            <UnstyledButton
              className="finding-step"
              aria-current={one === chosen ? 'step' : undefined}
              onClick={() => onStep(String(one.number))}
            >
              <span className="finding-step-role">{one.role}</span>
              <code>
                {one.path}:{one.line}
              </code>
            </UnstyledButton>
          </li>
        ))}
      </ol>
      <ChosenStep step={chosen} count={steps.length} />
    </FindingSection>
  );
}

function ChosenStep({ step, count }: { step: FlowStep; count: number }) {
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
