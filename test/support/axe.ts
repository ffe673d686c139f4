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
  await page.evaluate(AXE);
  const violations = await page.evaluate(async (tags: string[]) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: Violation[] }> };
    };
    return (await axe.run({ runOnly: { type: 'tag', values: tags } })).violations;
  }, RULES);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary.split('\n')[1]}`,
    ),
  );
}

/** The same page in both colour schemes and on a phone. */
export const LOOKS = [
  { name: 'light at 1280 px', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark at 1280 px', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'light at 375 px', colorScheme: 'light', viewport: { width: 375, height: 740 } },
  { name: 'dark at 375 px', colorScheme: 'dark', viewport: { width: 375, height: 740 } },
] as const;
