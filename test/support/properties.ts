import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';
import fc from 'fast-check';

/** `npm run faults` sets it to test properties as often as they deserve; `npm test` tests them less often. */
export const FULL_PROPERTIES = 'PARAPET_FULL_PROPERTIES';
export const isFullRun: boolean = process.env[FULL_PROPERTIES] === 'true';

interface Runs {
  /** How often the property is tested with the fixed seed in `npm run faults`, and in `npm test`. */
  full: number;
  quick: number;
  seed: number;
}

/** A number of runs or samples that `npm test` keeps small. */
export const runsOf = ({ full, quick }: Pick<Runs, 'full' | 'quick'>): number => (isFullRun ? full : quick);

/** Prints a random seed, so that a failure can be repeated, and returns it. */
export function randomSeed(context: TestContext): number {
  const seed = randomInt(2 ** 31);
  context.diagnostic(`seed ${seed}`);
  return seed;
}

/** Tests a property with a fixed seed, and half as often with a random one; does not shrink, because runs are slow. */
export async function checkProperty<Values>(
  context: TestContext,
  property: fc.IAsyncPropertyWithHooks<Values>,
  { seed, ...runs }: Runs,
): Promise<void> {
  const numRuns = runsOf(runs);
  await fc.assert(property, { numRuns, seed, endOnFailure: true });
  await fc.assert(property, { numRuns: Math.ceil(numRuns / 2), seed: randomSeed(context), endOnFailure: true });
}
