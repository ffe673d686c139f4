import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { countDistinct, itemsOfKind, parseReport, readFixture } from '#test/support/reports/report-fixtures.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';

let world: World;
let place: TestDeployment;
let token: string;
before(async () => {
  world = await World.start();
  place = await world.deployment();
  token = (await world.token(place)).text;
});
after(() => world.stop());

interface Outcome {
  opened: number;
  fixed: number;
  reopened: number;
  removed: number;
  moved: number;
}

async function importReport(project: string, report: Buffer | string, ref = 'main'): Promise<Outcome> {
  const query = new URLSearchParams({ project, ref });
  const response = await fetch(`${world.baseUrl}/api/v1/deployments/${place.slug}/imports?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(Buffer.from(report)),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const { opened, fixed, reopened, removed, moved } = JSON.parse(text) as Outcome;
  return { opened, fixed, reopened, removed, moved };
}

const NOTHING: Outcome = { opened: 0, fixed: 0, reopened: 0, removed: 0, moved: 0 };

/** Imports a report again: with other bytes, so that it is not recognized as the same file, and on a branch. */
async function assertStable(report: Buffer | string): Promise<void> {
  const project = uniqueName('acme/');
  const expected = countDistinct(itemsOfKind(await parseReport(report), 'finding'));
  assert.deepEqual(await importReport(project, report), { ...NOTHING, opened: expected });
  assert.deepEqual(await importReport(project, `${report}\n`), NOTHING);
  assert.equal((await importReport(project, report, 'dev')).opened, 0);
  const open = await world.queryAsOwner(
    `select from finding join project on project.deployment_id = finding.deployment_id and project.id = project_id
     where project.deployment_id = $1 and project.name = $2 and finding.state = 'detected'`,
    [place.id, project],
  );
  assert.equal(open.length, expected);
}

describe('a report opens each distinct result once, and nothing when it is imported again', () => {
  const names = [
    'retire.json',
    'secretlint.json',
    'semgrep-ci-products.json',
    'eslint.sarif',
    'dependencies/trivy.json',
  ];
  for (const name of names) test(name, () => assertStable(readFixture(name)));

  const library = (version: string, ...identifiers: object[]) => ({
    component: 'jquery',
    npmname: 'jquery',
    version,
    vulnerabilities: identifiers.map((one) => ({ identifiers: one, severity: 'medium', info: [] })),
  });
  const retireReport = (...results: object[]) =>
    JSON.stringify({ version: '5.2.4', data: [{ file: 'dist/bundle.js', results }], messages: [], errors: [] });

  test('Retire.js, with results that differ only in their version', async () => {
    const flaws = [
      { CVE: ['CVE-2020-11022'], issue: '4642' },
      { issue: '11974', summary: 'parseHTML' },
    ];
    const report = retireReport(library('1.12.4', ...flaws), library('2.1.0', ...flaws), library('2.1.0', ...flaws));
    assert.equal(countDistinct(itemsOfKind(await parseReport(report), 'finding')), 4);
    await assertStable(report);
  });

  test('Retire.js, with results that share some of their names', async () => {
    const report = retireReport(
      library(
        '1.12.4',
        { CVE: ['CVE-2020-11022', 'CVE-2020-11023'], issue: '4642' },
        { CVE: ['CVE-2020-11023'], issue: '4642' },
        { CVE: ['CVE-2015-9251', 'CVE-2020-11022'] },
        { retid: '73', issue: '4642' },
        { issue: '4642', summary: 'something else' },
        { summary: 'without an id' },
      ),
    );
    assert.equal(countDistinct(itemsOfKind(await parseReport(report), 'finding')), 5);
    await assertStable(report);
    const project = uniqueName('acme/');
    assert.equal((await importReport(project, report)).opened, 5);
    for (const ref of ['main', 'dev', 'dev', 'main'])
      assert.equal((await importReport(project, report, ref)).opened, 0);
  });
});

test('a finding stays the same when the version changes, also beside another version of the package', async () => {
  const project = uniqueName('acme/');
  const report = (...versions: string[]) =>
    JSON.stringify({
      version: '5.2.4',
      data: [
        {
          file: 'dist/bundle.js',
          results: versions.map((version) => ({
            component: 'lodash',
            version,
            vulnerabilities: [{ identifiers: { CVE: ['CVE-2020-8203'], githubID: 'GHSA-p6mc-m468-83gw' } }],
          })),
        },
      ],
      errors: [],
    });
  const versions = () =>
    world.queryAsOwner<{ id: string; version: string }>(
      `select finding.id, package_version as version from finding
       join project on project.deployment_id = finding.deployment_id and project.id = project_id
       where project.deployment_id = $1 and project.name = $2 and finding.state = 'detected' order by package_version`,
      [place.id, project],
    );
  await importReport(project, report('3.10.0', '4.17.15'));
  const before = await versions();
  assert.deepEqual(await importReport(project, report('4.17.15', '3.10.1')), NOTHING);
  assert.deepEqual(await versions(), [{ ...before[0], version: '3.10.1' }, before[1]]);
  assert.deepEqual(await importReport(project, report('4.17.16')), { ...NOTHING, fixed: 1 });
  assert.deepEqual(await importReport(project, report('3.10.1', '4.17.16')), { ...NOTHING, reopened: 1 });
});
