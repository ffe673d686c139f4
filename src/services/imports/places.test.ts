import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import * as filterHelp from '#services/filter-help/contract.ts';
import * as findingsV1 from '#services/findings-v1/contract.ts';
import * as issues from '#services/issues/list/contract.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const report = (name: string) => readFile(`test/fixtures/reports/${name}`);

async function importReport(upload: Buffer<ArrayBuffer> | string, project: string) {
  const { status, body, problem } = await world.as(contract, place.admin.jwt).importReport({
    path: { deployment: place.id },
    query: { project, ref: 'main', commit: 'a1b2c3d4' },
    upload,
  });
  assert.equal(status, 200, JSON.stringify(problem));
  return body;
}

async function listed(q: string) {
  const answer = await world
    .as(issues, place.admin.jwt)
    .listIssues({ path: { deploymentId: place.id }, body: { q: `${q} is:open,fixed` } });
  assert.equal(answer.status, 200, JSON.stringify(answer.problem));
  return answer.body.issues.map(({ issue }) => issue);
}

describe('findings without a file', () => {
  test('have an endpoint, which lists show and filter by', async () => {
    await importReport(await report('web/zap.json'), 'acme/shop');
    const found = await listed('project:acme/shop');
    assert.deepEqual(
      found.map(({ place: at, filePath, line, lineOfCodeUrl }) => [at, filePath, line, lineOfCodeUrl]).sort(),
      [
        [
          { kind: 'PLACE_KIND_ENDPOINT', name: 'https://shop.example.test/login', part: 'POST name' },
          'https://shop.example.test/login',
          0,
          '',
        ],
        [
          { kind: 'PLACE_KIND_ENDPOINT', name: 'https://shop.example.test/search', part: 'GET q' },
          'https://shop.example.test/search',
          0,
          '',
        ],
      ],
    );
    const names = async (q: string) => (await listed(`project:acme/shop ${q}`)).map(({ filePath }) => filePath);
    assert.deepEqual(await names('endpoint:"https://shop.example.test/l*"'), ['https://shop.example.test/login']);
    assert.deepEqual(await names('url:"https://shop.example.test/login"'), ['https://shop.example.test/login']);
    assert.deepEqual(await names('resource:*'), []);
    assert.equal((await names('-endpoint:*')).length, 0);
  });

  test('have a resource, which lists show and filter by', async () => {
    await importReport(await report('infrastructure/prowler.json'), 'acme/cloud');
    const [found] = await listed('resource:"arn:aws:s3:*"');
    assert.deepEqual(found?.place, {
      kind: 'PLACE_KIND_RESOURCE',
      name: 'arn:aws:s3:::acme-logs',
      part: 'eu-central-1',
    });
    assert.deepEqual(await listed('endpoint:* project:acme/cloud'), []);
  });

  test('are told apart from findings in files, which have no place', async () => {
    await importReport(await report('infrastructure/hadolint.json'), 'acme/image');
    const found = await listed('project:acme/image');
    assert.equal(found.length, 2);
    assert.ok(found.every((issue) => issue.place === undefined));
    assert.deepEqual(await listed('project:acme/image endpoint:*'), []);
  });

  test('are closed and opened when the place changes, and never moved', async () => {
    const nuclei = (url: string) =>
      JSON.stringify({ 'template-id': 'git-config', info: { name: 'Git', severity: 'medium' }, 'matched-at': url });
    await importReport(nuclei('https://old.example.test/.git/config'), 'acme/site');
    const again = await importReport(nuclei('https://old.example.test/.git/config?x=1'), 'acme/site');
    assert.deepEqual([again.opened, again.fixed, again.moved], [0, 0, 0]);
    const moved = await importReport(nuclei('https://new.example.test/.git/config'), 'acme/site');
    assert.deepEqual([moved.opened, moved.fixed, moved.moved], [1, 1, 0]);
  });

  test('have their place as the path of v1, without an address of the source host', async () => {
    const answer = await world
      .as(findingsV1, place.admin.jwt)
      .listFindings({ path: { deploymentSlug: place.slug }, query: { repos: ['acme/site'], status: 'open' } });
    assert.equal(answer.status, 200, JSON.stringify(answer.problem));
    const [finding] = answer.body.findings;
    assert.equal(finding?.location?.file_path, 'https://new.example.test/.git/config');
    assert.equal(finding?.line_of_code_url ?? '', '');
  });

  test('are offered when a filter is typed', async () => {
    const answer = await world
      .as(filterHelp, place.admin.jwt)
      .helpWithFilter({ path: { deployment: place.id }, query: { q: 'resource:', cursorAt: 9 } });
    assert.equal(answer.status, 200, JSON.stringify(answer.problem));
    const { offers } = answer.body.completion;
    assert.deepEqual(
      offers.map(({ value, count }) => [value.replaceAll('"', ''), count]),
      [['arn:aws:s3:::acme-logs', 1]],
    );
  });
});
