import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { isFullRun } from '../properties.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What is checked of a page: everything, or only what a change of the color scheme can alter. */
type AxeScope = 'everything' | 'colors';

/** Violations of WCAG 2.2 AA on the current page, one line for each element, as far as axe detects them. */
export async function axeViolations(page: Page, scope: AxeScope = 'everything'): Promise<string[]> {
  // Evaluated by the debugger, to which the content security policy does not apply.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  const runOnly =
    scope === 'everything' ? { type: 'tag', values: RULES } : { type: 'rule', values: ['color-contrast'] };
  const violations = await page.evaluate(async (runOnly: object) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: Violation[] }> };
    };
    // Omitting the passed checks saves most of the time.
    return (await axe.run({ resultTypes: ['violations'], runOnly })).violations;
  }, runOnly);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary.split('\n')[1]}`,
    ),
  );
}

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 740 };

/** A combination of screen size and color scheme. */
export interface Appearance {
  colorScheme: 'light' | 'dark';
  viewport: { width: number; height: number };
}

export const APPEARANCES: readonly Appearance[] = [
  { colorScheme: 'light', viewport: WIDE },
  { colorScheme: 'dark', viewport: WIDE },
  { colorScheme: 'dark', viewport: PHONE },
  { colorScheme: 'light', viewport: PHONE },
];

/**
 * The appearances in which the page at a position of a list is looked at: all in `npm run faults`, and one in
 * `npm test`. They rotate, so that each is seen on every fourth page.
 */
export function appearancesAt(position: number, isOnPhone = true): readonly Appearance[] {
  const looks = APPEARANCES.filter(({ viewport }) => isOnPhone || viewport === WIDE);
  return isFullRun ? looks : looks.slice(position % looks.length).slice(0, 1);
}

/** Applies an appearance without a reload, and waits until animations have ended. */
export async function applyAppearance(page: Page, { colorScheme, viewport }: Appearance): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize(viewport);
  // Evaluated as an expression: waitForFunction builds code from text, which the content security policy forbids.
  await page.evaluate(`new Promise((done) => {
    const { dataset } = document.documentElement;
    const isThere = () => (dataset.mantineColorScheme ?? '${colorScheme}') === '${colorScheme}';
    // The browser may list finished animations of elements outside of the viewport for half a minute.
    const moves = ({ effect, playState }) =>
      playState !== 'finished' && effect?.getComputedTiming().iterations !== Infinity;
    const look = () =>
      isThere() && !document.getAnimations().some(moves) ? requestAnimationFrame(done) : requestAnimationFrame(look);
    requestAnimationFrame(look);
  })`);
}

/** Axe violations on the current page in each of the appearances; a second scheme at one width changes colors only. */
export async function axeInAppearances(page: Page, looks: readonly Appearance[]): Promise<string[]> {
  const found: string[] = [];
  for (const [index, look] of looks.entries()) {
    await applyAppearance(page, look);
    const { colorScheme, viewport } = look;
    const scope = looks[index - 1]?.viewport === viewport ? 'colors' : 'everything';
    found.push(...(await axeViolations(page, scope)).map((text) => `${colorScheme} at ${viewport.width} px: ${text}`));
  }
  return found;
}
