import type { Bench, Figure } from './figure.ts';
import { benchGuardrails } from './guardrails.ts';

/** The allowed growth of the report with ten times the episodes, where a limit is set. */
const BOUNDS: Record<string, number> = { recent90DaysRatio: 1.5, past90DaysRatio: 1.5, wholeSpanRatio: 3 };

/** The guardrails report on a million episodes, compared with the same report on a tenth of them. */
export const guardrailFigures: Bench = async (options) =>
  Object.entries(await benchGuardrails(options)).map(([name, value]): Figure => {
    const atMost = BOUNDS[name];
    return {
      name,
      value,
      unit: name.endsWith('Ms') ? 'ms' : '×',
      ...(atMost === undefined ? {} : { want: { atMost } }),
    };
  });
