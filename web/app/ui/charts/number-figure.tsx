import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import './number-figure.css';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { FindingsLink } from '#web/ui/filter/findings-link.tsx';
import { findingCountText } from './data/chart-data.ts';

interface NumberFigureProps {
  label: string;
  /** Undefined if there is no data. */
  value: number | undefined;
  unit?: string;
  /** What is counted; shown as a tooltip on hover and focus. */
  definition: string;
  /** The filter that lists the counted findings. */
  q?: string | undefined;
  /** The number of findings in that list, if it differs from the value. */
  findings?: number | undefined;
  /** Whether the number counts workflow findings too. */
  hasWorkflows?: boolean;
  aside?: ReactNode;
}

/** A number with its label, definition and link to the findings it counts. */
export function NumberFigure({
  label,
  value,
  unit = '',
  definition,
  q,
  findings,
  hasWorkflows,
  aside,
}: NumberFigureProps) {
  const text = value === undefined ? '–' : `${formatNumber(value)}${unit}`;
  const findingCount = q === undefined || value === undefined ? '' : findingCountText(value, findings);
  const hint = q === undefined ? definition : `${definition} Filter: ${q}`;
  return (
    <div className="number-figure">
      <dt>{label}</dt>
      <dd>
        <Tooltip label={hint} multiline w={300}>
          {q === undefined || findingCount !== '' ? (
            <span className="number-figure-value" tabIndex={0}>
              {text}
            </span>
          ) : (
            <FindingsLink q={q} hasWorkflows={hasWorkflows} className="number-figure-value">
              {text}
            </FindingsLink>
          )}
        </Tooltip>
        {q !== undefined && findingCount !== '' && (
          <FindingsLink q={q} className="number-figure-aside">
            {findingCount}
          </FindingsLink>
        )}
        {aside !== undefined && <span className="dimmed number-figure-aside">{aside}</span>}
      </dd>
    </div>
  );
}
