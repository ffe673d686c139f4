import { UnstyledButton } from '@mantine/core';
import { Keycaps } from '#web/keys/keycaps.tsx';
import { useKeys } from '#web/keys/use-keys.ts';
import { CodeView } from '#web/parts/code-view.tsx';
import { SafeLink } from '#web/parts/safe-link.tsx';
import { type FlowStep, flowSteps, stepFrom, stepOf } from './flow.ts';
import type { Issue } from './queries.ts';
import { FindingSection } from './section.tsx';

interface FlowSectionProps {
  issue: Issue;
  /** The number of the step that is chosen, as text. */
  step: string | undefined;
  onStep: (step: string) => void;
}

/** The way of the data from where it comes in to where it does harm, step by step. */
export function FlowSection({ issue, step, onStep }: FlowSectionProps) {
  const steps = flowSteps(issue.dataflowTrace);
  const chosen = stepOf(steps, step);
  const go = (by: number) => () => {
    const next = stepFrom(steps, chosen, by);
    if (next) onStep(String(next.number));
  };
  useKeys(steps.length > 1 ? { nextStep: go(1), previousStep: go(-1) } : {});
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
