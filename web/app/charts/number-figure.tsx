import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import './number-figure.css';
import { FindingsLink } from '#web/parts/findings-link.tsx';
import { numberText } from '#web/parts/number-text.ts';

interface NumberFigureProps {
  label: string;
  /** Undefined where there is nothing to take it from. */
  value: number | undefined;
  unit?: string;
  /** What is counted, in a sentence: shown when one points at the number or reaches it by key. */
  definition: string;
  /** The filter whose list the number counts. */
  q?: string | undefined;
  aside?: ReactNode;
}

/** One number with its name, its definition, and the list it counts. */
export function NumberFigure({ label, value, unit = '', definition, q, aside }: NumberFigureProps) {
  const text = value === undefined ? '–' : `${numberText(value)}${unit}`;
  const hint = q === undefined ? definition : `${definition} Filter: ${q}`;
  return (
    <div className="number-figure">
      <dt>{label}</dt>
      <dd>
        <Tooltip label={hint} multiline w={300}>
          {q === undefined ? (
            <span className="number-figure-value" tabIndex={0}>
              {text}
            </span>
          ) : (
            <FindingsLink q={q} className="number-figure-value">
              {text}
            </FindingsLink>
          )}
        </Tooltip>
        {aside !== undefined && <span className="dimmed number-figure-aside">{aside}</span>}
      </dd>
    </div>
  );
}
