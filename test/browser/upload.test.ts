import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';
import { type CheckerHit, sarifOf } from '#test/support/reports/sarif.ts';

const hit = (file: string): CheckerHit => ({
  rule: `weak-hash-${file}`,
  title: `Weak hash in ${file}`,
  path: `${file}.js`,
  lines: [`md5(${file})`],
  match: 'md5',
});
const fileOf = (name: string, text = sarifOf([hit(name)])) => ({
  name: `${name}.sarif`,
  mimeType: 'application/json',
  buffer: Buffer.from(text),
});

describe('uploads in a real browser', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  before(async () => {
    product = await RunningApp.start();
    await product.signIn('/o/parapet/projects');
  });
  after(() => product?.stop());

  const dialog = () => product.page.getByRole('dialog', { name: 'Upload a report' });
  const upload = () => dialog().getByRole('button', { name: 'Upload', exact: true });
  async function choose(project: string, files: ReturnType<typeof fileOf>[]): Promise<void> {
    await product.go('/o/parapet/projects');
    await product.page.getByRole('button', { name: 'Upload a report' }).first().click();
    await dialog().locator('input[type=file]').setInputFiles(files);
    await dialog().getByLabel('Project').fill(project);
  }

  test('several reports are uploaded one after another, each with its changes', async () => {
    await choose('acme/many', [fileOf('one'), fileOf('two')]);
    await upload().click();
    await dialog()
      .getByText(/two\.sarif: 1 new/)
      .waitFor();
    assert.equal(
      await dialog()
        .getByText(/one\.sarif: 1 new/)
        .count(),
      1,
    );
    await dialog().getByRole('link', { name: 'Findings of acme/many' }).click();
    await product.page
      .getByRole('row', { name: /Weak hash in/ })
      .first()
      .waitFor();
  });

  test('an unreadable report is named, and reports before it are not sent again', async () => {
    await choose('acme/broken', [fileOf('good'), fileOf('bad', '{"nothing": 1}')]);
    await upload().click();
    await dialog().getByText('bad.sarif:', { exact: true }).waitFor();
    await dialog()
      .getByText(/good\.sarif: 1 new/)
      .waitFor();
    assert.equal(await dialog().locator('.upload-file').innerText(), 'bad.sarif');
  });

  test('an upload is aborted by its button or by closing the dialog, and the project has neither report', async () => {
    const { page } = product;
    await choose('acme/stopped', [fileOf('first'), fileOf('second')]);
    let isFirst = true;
    await page.route('**/imports?*', async (route) => {
      if (isFirst) await route.continue();
      isFirst = false;
    });
    await upload().click();
    await dialog()
      .getByText(/first\.sarif: 1 new/)
      .waitFor();
    await dialog()
      .getByText(/second\.sarif:/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Stop' }).click();
    await page.getByText('The upload of second.sarif was stopped.').waitFor();
    assert.equal(await dialog().locator('.upload-file').innerText(), 'second.sarif');
    await upload().click();
    await dialog().getByRole('button', { name: 'Stop' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await page.unrouteAll();
    const { issues } = await product.call('POST', '/api/agent/deployments/1/issues', {
      filter: { repositoryNames: ['acme/stopped'] },
    });
    assert.equal((issues as unknown[]).length, 1);
    assert.deepEqual(product.watched.complaints, []);
  });
});
