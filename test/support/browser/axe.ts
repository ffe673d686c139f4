import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What breaks WCAG 2.2 AA on the page as it is now, one line for each place; as far as a program can see it. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the content security policy does not bind.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (tags: string[]) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: Violation[] }> };
    };
    // Telling nothing of what is well takes most of the time away.
    const options = { resultTypes: ['violations'], runOnly: { type: 'tag', values: tags } };
    return (await axe.run(options)).violations;
  }, RULES);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary.split('\n')[1]}`,
    ),
  );
}

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 740 };

/** A way that a page may look: on a screen and on a phone, in both colour schemes. */
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

/** The two looks that between them have both schemes and both widths. */
export const TWO_APPEARANCES: readonly Appearance[] = [APPEARANCES[0], APPEARANCES[2]].filter(
  (look) => look !== undefined,
);

/** Gives the page a look without loading it anew, and waits until nothing moves. */
export async function applyAppearance(page: Page, { colorScheme, viewport }: Appearance): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize(viewport);
  // Evaluated as it is: what waits for a function builds it from text, which the content security policy forbids.
  await page.evaluate(`new Promise((done) => {
    const { dataset } = document.documentElement;
    const isThere = () => (dataset.mantineColorScheme ?? '${colorScheme}') === '${colorScheme}';
    const moves = ({ effect }) => effect?.getComputedTiming().iterations !== Infinity;
    const look = () =>
      isThere() && !document.getAnimations().some(moves) ? requestAnimationFrame(done) : requestAnimationFrame(look);
    requestAnimationFrame(look);
  })`);
}

/** What axe finds on the page as it is, in each of the looks. */
export async function axeInAppearances(page: Page, looks: readonly Appearance[]): Promise<string[]> {
  const found: string[] = [];
  for (const look of looks) {
    await applyAppearance(page, look);
    const { colorScheme, viewport } = look;
    found.push(...(await axeViolations(page)).map((text) => `${colorScheme} at ${viewport.width} px: ${text}`));
  }
  return found;
}
