import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import './number-figure.css';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { FindingsLink } from '#web/ui/filter/findings-link.tsx';
import { findingCountText } from './data/chart-data.ts';

interface NumberFigureProps {
  label: string;
  /** Undefined where there is nothing to take it from. */
  value: number | undefined;
  unit?: string;
  /** What is counted, in a sentence: shown when one points at the number or reaches it by key. */
  definition: string;
  /** The filter whose list the number counts. */
  q?: string | undefined;
  /** How many that list has, where the number counts otherwise. */
  findings?: number | undefined;
  aside?: ReactNode;
}

/** One number with its name, its definition, and the list it counts. */
export function NumberFigure({ label, value, unit = '', definition, q, findings, aside }: NumberFigureProps) {
  const text = value === undefined ? '–' : `${formatNumber(value)}${unit}`;
  const within = q === undefined || value === undefined ? '' : findingCountText(value, findings);
  const hint = q === undefined ? definition : `${definition} Filter: ${q}`;
  return (
    <div className="number-figure">
      <dt>{label}</dt>
      <dd>
        <Tooltip label={hint} multiline w={300}>
          {q === undefined || within !== '' ? (
            <span className="number-figure-value" tabIndex={0}>
              {text}
            </span>
          ) : (
            <FindingsLink q={q} className="number-figure-value">
              {text}
            </FindingsLink>
          )}
        </Tooltip>
        {q !== undefined && within !== '' && (
          <FindingsLink q={q} className="number-figure-aside">
            {within}
          </FindingsLink>
        )}
        {aside !== undefined && <span className="dimmed number-figure-aside">{aside}</span>}
      </dd>
    </div>
  );
}
