import { FindingsLink } from '#web/parts/findings-link.tsx';
import { numberText } from '#web/parts/number-text.ts';
import { type Behind, withinText } from './data.ts';

interface LinkedNumberProps {
  value: number;
  unit?: string;
  behind: Behind | undefined;
  className?: string;
}

/** A number that leads to its findings; where they are fewer than it counts, they are told and lead there. */
export function LinkedNumber({ value, unit = '', behind, className }: LinkedNumberProps) {
  const text = `${numberText(value)}${unit}`;
  if (behind === undefined || value === 0) return text;
  const within = withinText(value, behind.findings);
  if (within === '')
    return (
      <FindingsLink q={behind.q} {...(className !== undefined && { className })}>
        {text}
      </FindingsLink>
    );
  return (
    <>
      {text} <FindingsLink q={behind.q}>{within}</FindingsLink>
    </>
  );
}
