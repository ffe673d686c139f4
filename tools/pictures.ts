import { launchBrowser, signIn, watchedPage } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';
import { Program } from '#test/support/world/program.ts';

/** Takes the screenshots of the README from the demo. */

const PICTURES = [
  { file: 'findings.png', path: '/o/demo/findings?q=is:open%20severity:critical,high', ready: '[role="gridcell"]' },
  {
    file: 'guardrails.png',
    path: '/o/demo/reports/guardrails?since=-180d',
    ready: 'svg[role="img"], [role="img"] svg',
  },
] as const;

const product = await RunningApp.start();
try {
  const demo = new Program(product.place, ['demo']);
  if ((await demo.exited) !== 0) throw new Error(demo.output);
  const browser = await launchBrowser();
  const { page } = await watchedPage(browser, product.baseUrl, {
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
  });
  await signIn(page, product.baseUrl, '/o/demo/projects');
  for (const { file, path, ready } of PICTURES) {
    await page.goto(product.baseUrl + path);
    await page.locator(ready).first().waitFor();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `docs/images/${file}` });
    console.log(`wrote docs/images/${file}`);
  }
  await browser.close();
} finally {
  await product.stop();
}
