import { after, before, describe, test } from 'node:test';
import { ADMIN_SETTINGS, browserSkipReason } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';

/** More than any disk has, so that the server considers every disk full. */
const FULL = { PARAPET_MIN_FREE_DISK_MB: '100000000' };

describe('a server with a full disk in a real browser', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  before(async () => {
    product = await RunningApp.start({ settings: { ...ADMIN_SETTINGS, ...FULL } });
    await product.signIn('/o/parapet/findings');
  });
  after(() => product?.stop());

  test('tells administrators on every page what to do', async () => {
    const { page, baseUrl } = product;
    const banner = page.getByRole('complementary', { name: 'Server warning' });
    await banner.getByText(/uploads are refused until there is more\. Free space on it, or enlarge it\./).waitFor();
    await page.goto(`${baseUrl}/o/parapet/projects`);
    await banner.waitFor();
  });
});
