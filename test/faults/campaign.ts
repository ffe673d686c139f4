/** One figure of the fault injection tests: the expected and the actual result. */
export interface FaultFigure {
  id: string;
  wanted: string;
  reached: string;
  isReached: boolean;
  /** Failures, one line each. */
  details?: readonly string[];
}

export interface CampaignOptions {
  /** How often the fault is injected. Each campaign has its own default. */
  cycles: number;
  /** The same seed gives the same moments and the same requests. */
  seed: number;
  say: (line: string) => void;
}

export interface Campaign {
  defaultCycles: number;
  run(options: CampaignOptions): Promise<FaultFigure[]>;
}

/** A seeded generator of numbers between 0 and 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const MOST_DETAILS = 10;

export function lineOf({ id, wanted, reached, isReached, details = [] }: FaultFigure): string {
  const more = details.length > MOST_DETAILS ? [`… and ${details.length - MOST_DETAILS} more`] : [];
  return [
    `${isReached ? '✓' : '✗'} ${id}: reached ${reached}; wanted ${wanted}`,
    ...[...details.slice(0, MOST_DETAILS), ...more].map((detail) => `    ${detail}`),
  ].join('\n');
}
