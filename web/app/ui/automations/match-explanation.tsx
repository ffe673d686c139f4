import { CircleCheck, CircleX } from 'lucide-react';
import { RelativeTime } from '../text/relative-time.tsx';
import { CONDITION_TYPES } from './automation-types.ts';
import { type AutomationCondition, type AutomationNames, describeCondition } from './describe-automation.ts';
import './match-explanation.css';

interface MatchExplanationProps {
  explanation: {
    isMatch: boolean;
    verdict: string;
    conditions: readonly (AutomationCondition & { isTrue: boolean; seen: readonly string[] })[];
    firedAt?: string | undefined;
  };
  names: AutomationNames;
}

/** Why an automation fires for a finding or does not: the verdict, and each condition with what was seen. */
export function MatchExplanation({ explanation, names }: MatchExplanationProps) {
  const { isMatch, verdict, conditions, firedAt } = explanation;
  return (
    <div className="match-explanation" role="status" data-match={isMatch || undefined}>
      <p>
        <strong>{verdict}</strong>
        {firedAt !== undefined && (
          <>
            {' '}
            It fired <RelativeTime at={firedAt} />.
          </>
        )}
      </p>
      <ul>
        {conditions.map((condition) => (
          <li key={`${condition.type} ${condition.mode} ${condition.values.join()}`} data-true={condition.isTrue}>
            {condition.isTrue ? (
              <CircleCheck size={16} role="img" aria-label="true" />
            ) : (
              <CircleX size={16} role="img" aria-label="false" />
            )}
            <span>
              {describeCondition(condition, names)}
              <span className="dimmed"> · seen: {seenText(condition, names)}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function seenText({ type, seen }: { type: string; seen: readonly string[] }, names: AutomationNames): string {
  const { valueLabels } = CONDITION_TYPES[type] ?? {};
  if (seen.length === 0) return 'nothing';
  return seen
    .map((value) => (type === 'CONDITION_TYPE_REPOSITORY_ID' ? names.project(value) : (valueLabels?.[value] ?? value)))
    .join(', ');
}
