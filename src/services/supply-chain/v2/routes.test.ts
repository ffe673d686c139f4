import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import * as v1 from '#services/supply-chain/v1/contract.ts';
import { plantAdvisory, plantDependencies } from '#test/support/factories/dependencies.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
let shop: string;
let api: string;
let attic: string;

before(async () => {
  world = await World.start();
  place = await world.deployment();
  shop = await world.project(place, 'acme/shop');
  api = await world.project(place, 'acme/api');
  attic = await world.project(place, 'acme/attic');
  await plantDependencies(world, place, {
    project: shop,
    rows: [
      { package: 'left-pad', version: '1.3.0', licenses: ['WTFPL'], line: 12, manifestPath: 'package.json' },
      { package: '@acme/left', version: '1.10.0', transitivity: 'transitive', licenses: ['MIT'] },
      { package: 'left-pad', version: '1.9.0', path: 'web/package-lock.json', transitivity: 'unknown' },
    ],
  });
  await plantDependencies(world, place, {
    project: api,
    rows: [
      { package: 'django', version: '4.2rc1', ecosystem: 'pypi', path: 'requirements.txt' },
      { package: 'django', version: '4.2.post1', ecosystem: 'pypi', path: 'uv.lock' },
      { package: 'log4j', version: '2.17.1', ecosystem: 'maven', path: 'pom.xml' },
      { package: 'odd', version: '1', ecosystem: 'unheard-of', path: 'odd.lock' },
    ],
  });
  await plantDependencies(world, place, {
    project: shop,
    ref: 'feature',
    rows: [{ package: 'only-on-a-branch', version: '1.0.0' }],
  });
  await plantDependencies(world, place, { project: attic, rows: [{ package: 'dusty', version: '0.1.0' }] });
  await world.queryAsOwner(`update project set archived_at = now() where id = ${attic}`);
  await world.queryAsOwner(`update project set url = 'https://scm.example/acme/shop/' where id = ${shop}`);
});
after(() => world.stop());

const path = () => ({ deploymentId: place.id as Id<'Deployment'> });
const admin = () => world.as(contract, place.admin.jwt);

const list = async (dependencyFilter: object, jwt = place.admin.jwt) => {
  const { body } = await world.as(contract, jwt).listDependenciesPost({ path: path(), body: { dependencyFilter } });
  return body.dependencies.map(({ package: { name, versionSpecifier } }) => `${name}@${versionSpecifier}`);
};

describe('dependencies', () => {
  test('are those of primary refs of unarchived projects, with all members', async () => {
    const { body } = await admin().listDependenciesPost({ path: path(), body: {} });
    assert.equal(body.hasMore, false);
    assert.equal(body.dependencies.length, 7);
    assert.deepEqual(body.dependencies[0], {
      repositoryId: shop,
      definedAt: {
        path: 'package-lock.json',
        startLine: '12',
        startCol: '0',
        endLine: '12',
        endCol: '0',
        url: 'https://scm.example/acme/shop/blob/main/package-lock.json#L12',
      },
      transitivity: 'DIRECT',
      package: { name: 'left-pad', versionSpecifier: '1.3.0' },
      ecosystem: 'npm',
      licenses: ['WTFPL'],
      manifestDefinition: {
        path: 'package.json',
        startLine: '0',
        startCol: '0',
        endLine: '0',
        endCol: '0',
        url: 'https://scm.example/acme/shop/blob/main/package.json',
      },
      resolvedUrl: '',
    });
    assert.equal(body.dependencies.at(-1)?.ecosystem, 'no_package_manager');
    assert.deepEqual(await list({ includeArchived: true }), ['dusty@0.1.0']);
  });

  test('follow a change of the primary branch', async () => {
    await world.queryAsOwner(`update project set primary_branch = 'feature' where id = ${shop}`);
    assert.deepEqual(await list({ repositoryId: [Number(shop)] }), ['only-on-a-branch@1.0.0']);
    await world.queryAsOwner(`update project set primary_branch = null where id = ${shop}`);
  });

  test('are filtered by each member alone and combined', async () => {
    assert.deepEqual(await list({ name: 'LEFT' }), ['left-pad@1.3.0', '@acme/left@1.10.0', 'left-pad@1.9.0']);
    assert.deepEqual(await list({ version: '1.3.0' }), ['left-pad@1.3.0']);
    assert.deepEqual(await list({ transitivity: ['TRANSITIVE'] }), ['@acme/left@1.10.0']);
    assert.deepEqual(await list({ transitivity: ['UNKNOWN_TRANSITIVITY'] }), ['left-pad@1.9.0']);
    assert.deepEqual(await list({ ecosystem: ['maven'] }), ['log4j@2.17.1']);
    assert.deepEqual(await list({ lockfilePath: 'uv.lock' }), ['django@4.2.post1']);
    assert.deepEqual(await list({ license: ['MIT', 'Apache-2.0'] }), ['@acme/left@1.10.0']);
    assert.deepEqual(await list({ repositoryId: [Number(shop)], name: 'left', license: ['WTFPL'] }), [
      'left-pad@1.3.0',
    ]);
    assert.deepEqual(await list({ repositoryId: [999999] }), []);
    // The client types have numbers, but requests may send text, which is exact beyond doubles.
    const asText = (id: string) => [id as unknown as number];
    assert.deepEqual(await list({ repositoryId: asText(shop) }), await list({ repositoryId: [Number(shop)] }));
    assert.deepEqual(await list({ repositoryId: asText('9223372036854775807') }), []);
    assert.equal((await list({ licensePolicySettings: ['LICENSE_POLICY_SETTING_ALLOW'] })).length, 7);
    assert.deepEqual(await list({ licensePolicySettings: ['LICENSE_POLICY_SETTING_BLOCK'] }), []);
  });

  test('are filtered by packages with version bounds of their ecosystem', async () => {
    const one = (filter: object) => list({ packageFilters: [filter] });
    assert.deepEqual(await one({ name: 'left' }), ['left-pad@1.3.0', '@acme/left@1.10.0', 'left-pad@1.9.0']);
    assert.deepEqual(await one({ name: 'left', exactNameMatch: true }), []);
    assert.deepEqual(await one({ name: 'left-pad', exactNameMatch: true, exactVersion: '1.9.0' }), ['left-pad@1.9.0']);
    assert.deepEqual(await one({ name: 'left', versionLowerBound: '>1.3.0' }), ['@acme/left@1.10.0', 'left-pad@1.9.0']);
    assert.deepEqual(await one({ name: 'left', versionLowerBound: '>=1.3.0', versionUpperBound: '<1.10.0' }), [
      'left-pad@1.3.0',
      'left-pad@1.9.0',
    ]);
    assert.deepEqual(await one({ name: 'django', versionUpperBound: '<4.2' }), ['django@4.2rc1']);
    assert.deepEqual(await one({ name: 'django', versionLowerBound: '>4.2' }), ['django@4.2.post1']);
    assert.deepEqual(
      await list({
        packageFilters: [
          { name: 'log4j', exactNameMatch: true, versionUpperBound: '<2.18' },
          { name: 'left-pad', exactNameMatch: true, versionUpperBound: '1.3.0' },
        ],
      }),
      ['left-pad@1.3.0', 'log4j@2.17.1'],
    );
    assert.equal((await one({ versionLowerBound: '0' })).length, 7);
  });

  test('with an invalid bound are refused', async () => {
    const { status, body } = await admin().listDependenciesPost({
      path: path(),
      body: { dependencyFilter: { packageFilters: [{ name: 'x', versionLowerBound: '^1.0' }] } },
    });
    assert.equal(status, 400);
    assert.equal((body as unknown as { code: string }).code, 'DEPENDENCY_FILTER_REFUSED');
  });

  test('are the same for GET, POST and v1', async () => {
    const whole = (await admin().listDependenciesPost({ path: path(), body: { dependencyFilter: { name: 'left' } } }))
      .body;
    const byQuery = await admin().listDependenciesGet({
      path: path(),
      query: { 'dependencyFilter.name': 'left', 'dependencyFilter.repositoryId': [Number(shop)] },
    });
    assert.deepEqual(byQuery.body, whole);
    const older = await world
      .as(v1, (await world.token(place)).text)
      .listDependencies({ path: path(), body: { dependencyFilter: { name: 'left' } } });
    assert.deepEqual(older.body, whole);
  });

  test('have complete pages with a cursor that may be a number or text', async () => {
    const whole = await list({});
    for (const asText of [true, false]) {
      const walked: string[] = [];
      let cursor = '0';
      for (let hasMore = true; hasMore; ) {
        const { body } = await admin().listDependenciesPost({
          path: path(),
          body: { pageSize: 2, cursor: (asText ? cursor : Number(cursor)) as string },
        });
        walked.push(...body.dependencies.map(({ package: found }) => `${found.name}@${found.versionSpecifier}`));
        ({ hasMore, cursor } = body);
      }
      assert.deepEqual(walked, whole);
      const { body } = await admin().listDependenciesPost({ path: path(), body: { cursor } });
      assert.deepEqual(body, { dependencies: [], hasMore: false, cursor });
    }
  });

  test('of invisible projects are neither listed nor counted', async () => {
    const outsider = await world.memberWithoutTeam(place);
    const client = world.as(contract, outsider.jwt);
    assert.deepEqual(await list({}, outsider.jwt), []);
    const none = await client.listRepositoriesForDependencies({ path: path(), body: {} });
    assert.deepEqual(none.body.repositorySummaries, []);
    await world.inDeployment(place, async (tx) => {
      const team = (await teams.insert(tx, { deployment: place.id, name: 'Shop', parent: undefined })) ?? '';
      await members.addMembers(tx, { deployment: place.id, team }, [
        { account: outsider.id, role: 'TEAM_ROLE_MEMBER' },
      ]);
      await members.addProjects(tx, { deployment: place.id, team }, [shop]);
    });
    assert.equal((await list({}, outsider.jwt)).length, 3);
    assert.deepEqual(await list({ packageFilters: [{ name: 'django', versionLowerBound: '1' }] }, outsider.jwt), []);
    const some = await client.listRepositoriesForDependencies({ path: path(), body: {} });
    assert.deepEqual(
      some.body.repositorySummaries.map(({ name }) => name),
      ['acme/shop'],
    );
    const hidden = await client.listLockfilesForDependencies({
      path: { ...path(), repositoryId: api as Id<'Project'> },
      body: {},
    });
    assert.equal(hidden.status, 404);
  });
});

describe('repositories and lockfiles', () => {
  test('are filtered and paginated', async () => {
    const first = await admin().listRepositoriesForDependencies({ path: path(), body: { pageSize: 1 } });
    assert.deepEqual(first.body, {
      repositorySummaries: [{ id: Number(shop), name: 'acme/shop', numDependencies: 3, hasDependencyPathScan: false }],
      hasMore: true,
      cursor: Number(shop),
    });
    const second = await admin().listRepositoriesForDependencies({
      path: path(),
      body: { pageSize: 1, cursor: first.body.cursor },
    });
    assert.deepEqual(second.body.repositorySummaries[0]?.numDependencies, 4);
    assert.equal(second.body.hasMore, false);
    const django = { packageFilters: [{ name: 'django', versionLowerBound: '>4.2' }] };
    const filtered = await admin().listRepositoriesForDependencies({
      path: path(),
      body: { dependencyFilter: django },
    });
    assert.deepEqual(filtered.body.repositorySummaries, [
      { id: Number(api), name: 'acme/api', numDependencies: 1, hasDependencyPathScan: false },
    ]);
    const files = await admin().listLockfilesForDependencies({
      path: { ...path(), repositoryId: api as Id<'Project'> },
      body: { dependencyFilter: django },
    });
    assert.deepEqual(files.body, {
      lockfileSummaries: [{ lockfilePath: 'uv.lock', numDependencies: 1 }],
      hasMore: false,
      cursor: '',
    });
  });

  test('in v1 are the same', async () => {
    const older = world.as(v1, (await world.token(place)).text);
    const ours = await admin().listRepositoriesForDependencies({ path: path(), body: {} });
    assert.deepEqual((await older.listRepositoriesForDependencies({ path: path(), body: {} })).body, ours.body);
    const project = { ...path(), repositoryId: shop as Id<'Project'> };
    const files = await older.listLockfilesForDependencies({ path: project, body: { pageSize: 1 } });
    assert.deepEqual(files.body.lockfileSummaries, [{ lockfilePath: 'package-lock.json', numDependencies: 2 }]);
    assert.equal(files.body.hasMore, true);
  });
});

test('findings of an advisory are counted by project and ref, largest first, in pages', async () => {
  const where = await world.deployment();
  const [one, two, three] = await Promise.all(['p/one', 'p/two', 'p/three'].map((name) => world.project(where, name)));
  const flaw = { advisory: 'GHSA-aaaa-bbbb-cccc', aliases: ['GHSA-aaaa-bbbb-cccc', 'CVE-2024-1'], version: '1.0.0' };
  await plantAdvisory(world, where, { ...flaw, project: one ?? '', package: 'a', refs: ['main', 'dev'] });
  await plantAdvisory(world, where, { ...flaw, project: two ?? '', package: 'a' });
  await plantAdvisory(world, where, { ...flaw, project: two ?? '', package: 'b', refs: ['main', 'dev'] });
  await plantAdvisory(world, where, {
    ...flaw,
    project: three ?? '',
    advisory: 'CVE-2000-2',
    aliases: ['CVE-2000-2'],
    package: 'c',
  });
  const client = world.as(contract, where.admin.jwt);
  const ask = async (advisoryId: string, body: object) =>
    (await client.listFindingsForAdvisory({ path: { deploymentId: where.id, advisoryId }, body })).body;
  const projects = [
    {
      projectName: 'p/two',
      totalFindingCount: 3,
      branchFindings: [
        { branchName: 'dev', findingCount: 1 },
        { branchName: 'main', findingCount: 2 },
      ],
    },
    {
      projectName: 'p/one',
      totalFindingCount: 2,
      branchFindings: [
        { branchName: 'dev', findingCount: 1 },
        { branchName: 'main', findingCount: 1 },
      ],
    },
  ];
  for (const name of ['GHSA-aaaa-bbbb-cccc', 'CVE-2024-1', 'cve-2024-1']) {
    const whole = await ask(name, {});
    assert.deepEqual(whole, {
      projects,
      hasMore: false,
      cursorFindingCount: 2,
      cursorProjectName: 'p/one',
      ruleId: 'rule of GHSA-aaaa-bbbb-cccc',
    });
    const first = await ask(name, { pageSize: 1 });
    assert.equal(first.hasMore, true);
    const { cursorFindingCount, cursorProjectName } = first;
    const second = await ask(name, { pageSize: 1, cursorFindingCount, cursorProjectName });
    assert.deepEqual([...first.projects, ...second.projects], projects);
  }
  assert.deepEqual((await ask('CVE-1999-1', {})).projects, []);
  const outsider = world.as(contract, (await world.memberWithoutTeam(where)).jwt);
  const hidden = await outsider.listFindingsForAdvisory({
    path: { deploymentId: where.id, advisoryId: flaw.advisory },
    body: {},
  });
  assert.deepEqual(hidden.body.projects, []);
});
