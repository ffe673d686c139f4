import { formatNumber } from '#web/foundation/format/format-number.ts';
import { FindingsLink } from '#web/ui/filter/findings-link.tsx';
import { type FindingsBehind, findingCountText } from './data/chart-data.ts';

interface LinkedNumberProps {
  value: number;
  unit?: string;
  behind: FindingsBehind | undefined;
  className?: string;
}

/** A number that links to its findings; if their count differs, the link shows it beside the number. */
export function LinkedNumber({ value, unit = '', behind, className }: LinkedNumberProps) {
  const text = `${formatNumber(value)}${unit}`;
  if (behind === undefined || value === 0) return text;
  const findingCount = findingCountText(value, behind.findings);
  if (findingCount === '')
    return (
      <FindingsLink q={behind.q} {...(className !== undefined && { className })}>
        {text}
      </FindingsLink>
    );
  return (
    <>
      {text} <FindingsLink q={behind.q}>{findingCount}</FindingsLink>
    </>
  );
}
