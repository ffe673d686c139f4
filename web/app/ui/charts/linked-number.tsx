import { formatNumber } from '#web/foundation/format/format-number.ts';
import { FindingsLink } from '#web/ui/filter/findings-link.tsx';
import { type FindingsBehind, findingCountText } from './data/chart-data.ts';

interface LinkedNumberProps {
  value: number;
  unit?: string;
  behind: FindingsBehind | undefined;
  className?: string;
}

/** A number that leads to its findings; where they are fewer than it counts, they are told and lead there. */
export function LinkedNumber({ value, unit = '', behind, className }: LinkedNumberProps) {
  const text = `${formatNumber(value)}${unit}`;
  if (behind === undefined || value === 0) return text;
  const within = findingCountText(value, behind.findings);
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
