import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ScmType } from '#domain/projects/shape.ts';
import * as scans from '#domain/scans/store.ts';
import * as teams from '#domain/teams/members.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { makeObject } from '#test/support/factories/example-objects.ts';
import { makeScan } from '#test/support/factories/scans.ts';
import { type TestDeployment, type TestUser, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
});
after(() => world.stop());

const api = (credential = place.admin.jwt) => world.as(contract, credential);
const path = (where: TestDeployment = place) => ({ deploymentId: where.id });
const projectPath = (id: string) => ({ ...path(), projectId: id as Id<'Project'> });
const repoPath = (idOrName: string) => ({ ...path(), idOrName });

const makeProject = (name = uniqueName('acme/shop'), where: TestDeployment = place) => world.project(where, name);
const repoOf = async (idOrName: string, credential?: string) =>
  (await api(credential).getRepo({ path: repoPath(idOrName) })).body.repo;

type Filters = NonNullable<NonNullable<Parameters<ReturnType<typeof api>['getReposCount']>[0]['body']>['filters']>;

describe('a repository', () => {
  test('without scans has no scan, no refs and no data of a source-code host', async () => {
    const id = await makeProject('acme/bare');
    const { provisionedAt, ...repo } = await repoOf(id);
    assert.ok(Date.parse(provisionedAt) > 0);
    const noScopes = [
      ...['readMetadata', 'readPullRequest', 'writePullRequestComment', 'readContents', 'readMembers'],
      ...['manageWebhooks', 'writeContents', 'writePullRequest'],
    ];
    assert.deepEqual(repo, {
      id,
      name: 'acme/bare',
      tags: [],
      deploymentId: place.id,
      url: '',
      ignoredFiles: [],
      productIgnoredFiles: { sast: [], sca: [], secrets: [] },
      isArchived: false,
      isDisconnected: false,
      hasCodeAccess: false,
      managedScans: { diffScan: false, numConfigs: 0, fullScan: false },
      isSetup: false,
      scmLastSyncedAt: 0,
      authorizedScopes: [
        ...['REPO_SCOPE_READ_FINDING', 'REPO_SCOPE_TRIAGE_FINDING', 'REPO_SCOPE_MANAGE_PROJECT_SETTINGS'],
        ...['REPO_SCOPE_AUTOINSTALL', 'REPO_SCOPE_DELETE_PROJECT', 'REPO_SCOPE_ASSIGN_TEAM'],
      ],
      defaultBranch: '',
      refs: [],
      latestFullScaScanParserErrors: { errors: [] },
      scaInfo: { dependencyCounts: {} },
      linkedRepos: [],
      scmType: 'SCM_TYPE_UNKNOWN',
      tokenScopes: Object.fromEntries(noScopes.map((name) => [name, false])),
      aiScans: { fullScan: false },
      isScmArchived: false,
      isPlatformArchived: false,
    });
  });

  test('shows its scans, its refs and the dependencies of its primary ref', async () => {
    const id = await makeProject();
    const first = await makeScan({ world, place }, id);
    const latest = await makeScan({ world, place }, id);
    await world.queryAsOwner("update scan set started_at = now() - interval '1 day' where id = $1", [first]);
    await world.queryAsOwner(
      "update project set url = 'https://github.com/acme/shop', archived_at = now() where id = $1",
      [id],
    );
    const project = { deployment: place.id, id };
    const other = await world.inDeployment(place, (tx) =>
      scans.recordRef(tx, project, { name: 'release', kind: 'branch' }),
    );
    const repo = await repoOf(id);
    const main = repo.defaultRef?.id;
    await addDependencies(id, main ?? '', ['npm', 'npm', 'pypi']);
    await addDependencies(id, other, ['cargo']);
    assert.deepEqual(
      [repo.latestScan?.id, repo.latestScan?.status, repo.latestScan?.exitCode, repo.firstScanId],
      [latest, 'SCAN_STATUS_COMPLETED', '0', first],
    );
    assert.deepEqual(repo.refs, [
      { repoRefId: main, ref: 'main', isDefault: true, isPrimary: true },
      { repoRefId: other, ref: 'release', isDefault: false, isPrimary: false },
    ]);
    assert.deepEqual(repo.primaryRef, { id: main, ref: 'main', isOverride: false });
    assert.deepEqual(repo.lastScannedRef, { id: main, ref: 'main' });
    assert.deepEqual([repo.provider, repo.scmType], ['PROVIDER_GITHUB', 'SCM_TYPE_GITHUB']);
    assert.ok(repo.latestFullScaScanAt && repo.isArchived && repo.archivedAt);
    assert.deepEqual((await repoOf(id)).scaInfo.dependencyCounts, { npm: '2', pypi: '1' });
    const { body } = await api().editRepo({ path: repoPath(id), body: { primaryBranch: 'refs/heads/release' } });
    assert.deepEqual(body.repo.primaryRef, { id: other, ref: 'release', isOverride: true });
    assert.deepEqual(body.repo.scaInfo.dependencyCounts, { cargo: '1' });
  });

  test('is found by id first and by a name with slashes', async () => {
    const first = await makeProject();
    const digits = await makeProject(first);
    assert.equal((await repoOf(first)).id, first);
    assert.equal((await repoOf(digits)).name, first);
    const named = await makeProject('Some/Deep/Name');
    assert.equal((await repoOf('some/deep/name')).id, named);
  });
});

async function addDependencies(project: string, branch: string, ecosystems: string[]): Promise<void> {
  await world.queryAsOwner(
    `with analysis as (
       insert into analysis (deployment_id, project_id, ref_id, key) values ($1, $2, $3, 'lockfiles') returning id
     )
     insert into dependency (deployment_id, project_id, ref_id, analysis_id, path, ecosystem, package, version,
       transitivity, licenses, scan_id, seen_at)
     select $1, $2, $3, analysis.id, 'lock', ecosystem, 'package ' || row, '1', 'direct', '{}', 1, now()
     from analysis, unnest($4::text[]) with ordinality as wanted (ecosystem, row)`,
    [place.id, project, branch, ecosystems],
  );
}

describe('an edit', () => {
  test('renames, and refuses a name that is taken, ignoring case', async () => {
    const [id, other] = [await makeProject('acme/old'), await makeProject('acme/taken')];
    const { body } = await api().editRepo({ path: repoPath('acme/old'), body: { name: ' acme/new ' } });
    assert.deepEqual([body.repo.id, body.repo.name], [id, 'acme/new']);
    const taken = await api().editRepo({ path: repoPath(other), body: { name: 'ACME/New' } });
    assert.deepEqual([taken.status, taken.problem.code], [409, 'PROJECT_NAME_TAKEN']);
    const own = await api().editRepo({ path: repoPath(id), body: { name: 'Acme/New' } });
    assert.equal(own.body.repo.name, 'Acme/New');
  });

  test('applies tag changes in order, and SET_TAGS must be the only one', async () => {
    const id = await makeProject();
    const edit = (tagsChanges: { operation: 'ADD_TAGS' | 'REMOVE_TAGS' | 'SET_TAGS'; tags: string[] }[]) =>
      api().editRepo({ path: repoPath(id), body: { tagsChanges } });
    await edit([{ operation: 'SET_TAGS', tags: ['a', 'b'] }]);
    const { body } = await edit([
      { operation: 'REMOVE_TAGS', tags: ['a'] },
      { operation: 'ADD_TAGS', tags: ['c'] },
    ]);
    assert.deepEqual(body.repo.tags, ['b', 'c']);
    const refused = await edit([
      { operation: 'SET_TAGS', tags: ['x'] },
      { operation: 'ADD_TAGS', tags: ['y'] },
    ]);
    assert.deepEqual([refused.status, refused.problem.code], [400, 'PROJECT_CHANGE_REFUSED']);
  });

  test('enables and disables managed scans and AI scans', async () => {
    const id = await makeProject();
    const { body } = await api().editRepo({
      path: repoPath(id),
      body: { managedScans: { diffScan: true }, aiScans: { fullScan: true } },
    });
    assert.deepEqual(body.repo.managedScans, { diffScan: true, numConfigs: 1, fullScan: false });
    assert.deepEqual(
      [body.repo.aiScans, body.repo.isSetup, body.repo.tags],
      [{ fullScan: true }, true, ['managed-scan']],
    );
  });
});

describe('bulk changes', () => {
  test('are atomic and return the names in the order of the request', async () => {
    const [one, two] = [await makeProject('acme/one'), await makeProject('acme/two')];
    const change = (repoId: string, tags: string[]) => ({
      repoId: repoId as Id<'Project'>,
      change: { updateTags: true, tags },
    });
    const done = await api().bulkEditRepos({
      path: path(),
      body: { changes: [change(two, ['b']), change(one, ['a'])] },
    });
    assert.deepEqual(done.body.updatedRepoNames, ['acme/two', 'acme/one']);
    const foreign = await makeProject('acme/foreign', await world.deployment());
    for (const unknown of [foreign, '999999999'])
      for (const changes of [[change(one, ['z']), change(unknown, ['z'])]]) {
        const refused = await api().bulkEditRepos({ path: path(), body: { changes } });
        assert.deepEqual([refused.status, refused.problem.code], [400, 'PROJECT_CHANGE_REFUSED']);
        assert.equal(refused.problem.errors[0]?.pointer, '#/changes/1/repoId');
      }
    const twice = await api().bulkEditRepos({ path: path(), body: { changes: [change(one, ['x']), change(one, [])] } });
    assert.equal(twice.status, 400);
    assert.deepEqual((await repoOf(one)).tags, ['a']);
  });

  test('do not change tags without updateTags', async () => {
    const id = (await makeProject()) as Id<'Project'>;
    await api().editRepo({ path: repoPath(id), body: { tagsChanges: [{ operation: 'SET_TAGS', tags: ['kept'] }] } });
    const change = { tags: ['ignored'], managedScans: { fullScan: true } };
    await api().bulkEditRepos({ path: path(), body: { changes: [{ repoId: id, change }] } });
    const repo = await repoOf(id);
    assert.deepEqual([repo.tags, repo.managedScans.fullScan], [['kept', 'managed-scan'], true]);
  });

  test('by filter change all matches except the excluded and report errors', async () => {
    const word = uniqueName('fleet');
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push(await makeProject(`${word}/${count}`));
    const [full = '', excluded = '', free = ''] = ids;
    const ten = Array.from({ length: 10 }, (_, index) => `t${index}`);
    await api().editRepo({ path: repoPath(full), body: { tagsChanges: [{ operation: 'SET_TAGS', tags: ten }] } });
    const { body } = await api().bulkApplyRepoUpdate({
      path: path(),
      body: {
        filters: { search: word },
        excludeIds: [excluded as Id<'Project'>],
        change: { managedScans: { diffScan: true } },
      },
    });
    assert.deepEqual(body.updatedRepoIds, [free]);
    assert.deepEqual(
      body.errors.map(({ code, ids: named }) => [code, named]),
      [['UPDATE_ERROR_CODE_CONFLICT', [full]]],
    );
    assert.deepEqual((await repoOf(free)).tags, ['managed-scan']);
    assert.equal((await repoOf(excluded)).managedScans.diffScan, false);
  });

  test('that need a source-code host report an error for each repository', async () => {
    const id = (await makeProject()) as Id<'Project'>;
    const foreign = (await makeProject(undefined, await world.deployment())) as Id<'Project'>;
    const body = { filters: { ids: [id, foreign] } };
    const provision = (await api().bulkProvisionRepos({ path: path(), body })).body;
    const secret = (await api().bulkAddRepoSecret({ path: path(), body })).body;
    assert.deepEqual([provision.repoFileUrls, secret.repoTokenIds], [{}, {}]);
    for (const { errors } of [provision, secret])
      assert.deepEqual(
        errors.map(({ code, ids }) => [code, ids]),
        [
          ['UPDATE_ERROR_CODE_NOT_FOUND', [foreign]],
          ['UPDATE_ERROR_CODE_CONFLICT', [id]],
        ],
      );
    const refresh = await api().refreshProjectsAsync({ path: path(), body: {} });
    assert.deepEqual([refresh.status, refresh.problem.code], [409, 'SCM_NOT_CONNECTED']);
    const sync = await api().syncRepo({ path: { ...path(), repoId: id }, body: {} });
    assert.deepEqual([sync.status, sync.problem.code], [409, 'SCM_NOT_CONNECTED']);
  });
});

describe('filters', () => {
  let own: TestDeployment;
  const ids: Record<string, string> = {};

  before(async () => {
    own = await world.deployment();
    for (const name of ['acme/Scanned', 'acme/failed', 'local_scan/dir', 'other/archived', 'other/managed'])
      ids[name] = await makeProject(name, own);
    const set = (name: string, assignment: string) =>
      world.queryAsOwner(`update project set ${assignment} where id = $1`, [ids[name]]);
    await makeScan({ world, place: own }, ids['acme/Scanned'] ?? '');
    await set('acme/Scanned', "latest_scan_at = now(), url = 'https://www.GitHub.com/acme/Scanned'");
    const failed = await makeScan({ world, place: own }, ids['acme/failed'] ?? '');
    await world.queryAsOwner("update scan set status = 'error' where id = $1", [failed]);
    await set('acme/failed', "latest_scan_at = now() - interval '9 days', url = 'https://github.com@evil.example/x'");
    await set('other/archived', 'archived_at = now()');
    await set('other/managed', 'has_managed_full_scan = true');
  });

  const found = async (filters: Filters) => {
    const { body } = await api(own.admin.jwt).searchRepos({ path: path(own), body: { filters } });
    const counted = await api(own.admin.jwt).getReposCount({ path: path(own), body: { filters } });
    assert.equal(counted.body.count, String(body.repos.length));
    return body.repos.map(({ name }) => name.split('/')[1]);
  };

  test('apply to the list and the count, alone and combined', async () => {
    const everything = ['Scanned', 'failed', 'dir', 'managed'];
    const tag = await world.queryAsOwner<{ id: string }>(
      `with made as (insert into deployment_tag (deployment_id, tag) values ($1, 'web') returning id, tag)
       , given as (insert into project_tag select $1, $2, tag from made) select id from made`,
      [own.id, ids['acme/failed']],
    );
    const week = new Date(Date.now() - 7 * 24 * 3600 * 1000).toISOString();
    const cases: [filters: Filters, names: string[]][] = [
      [{}, everything],
      [{ archived: false }, everything],
      [{ archived: true }, ['archived']],
      [{ search: 'ACME/' }, ['Scanned', 'failed']],
      [{ search: 'ACME/', invertSearch: true }, ['dir', 'managed']],
      [{ search: '%' }, []],
      [{ codeAccess: true }, []],
      [{ codeAccess: false }, everything],
      [{ isScmRepository: true }, []],
      [{ lastScanSince: week }, ['Scanned']],
      [{ setup: true }, ['Scanned', 'failed', 'managed']],
      [{ setup: false }, ['dir']],
      [{ ids: [ids['acme/failed'] as Id<'Project'>] }, ['failed']],
      [{ ids: [] }, []],
      [{ hasSmsSetup: true }, ['managed']],
      [{ isLocalScanProject: true }, ['dir']],
      [{ scmType: 'SCM_TYPE_GITHUB' }, ['Scanned']],
      [{ scmType: 'SCM_TYPE_UNKNOWN' }, ['failed', 'dir', 'managed']],
      [{ scmType: 'SCM_TYPE_HARNESS' }, []],
      [{ tagId: Number(tag[0]?.id) }, ['failed']],
      [{ latestScanStatus: 'LATEST_SCAN_STATUS_BUCKET_SUCCESSFUL' }, ['Scanned']],
      [{ latestScanStatus: 'LATEST_SCAN_STATUS_BUCKET_HAD_PROBLEMS' }, ['failed']],
      [{ latestScanStatus: 'LATEST_SCAN_STATUS_BUCKET_NEVER_SCANNED' }, ['dir', 'managed']],
      [{ search: 'acme', setup: true, lastScanSince: week }, ['Scanned']],
    ];
    for (const [filters, names] of cases) assert.deepEqual(await found(filters), names, JSON.stringify(filters));
    const { body } = await api(own.admin.jwt).getReposByTag({ path: path(own) });
    assert.deepEqual(body.tagIdToRepoIds, { [tag[0]?.id ?? '']: { repoIds: [ids['acme/failed']] } });
  });

  test('by host type agree with the records for any URL', async () => {
    const odd = await world.deployment();
    const addresses = [
      ...['https://github.com/a', 'HTTPS://WWW.GITHUB.COM', 'ssh://git@github.com:22/a', 'https://gitlab.com?x=1'],
      ...['https://github.com@evil.example/', 'https://evil.example/?://github.com/', 'git@github.com:a/b', '', ' '],
      ...[
        'https://github.com\\@evil.example/',
        'https://github.com.evil.example',
        'https:/github.com',
        '://github.com',
      ],
      ...[
        'https://a:b@bitbucket.org#x',
        'https://www.www.github.com',
        'https://dev.azure.com./x',
        'x://y://github.com',
      ],
    ];
    await world.queryAsOwner(
      `insert into project (deployment_id, name, name_key, url)
       select $1, 'p' || row, 'p' || row, url from unnest($2::text[]) with ordinality as wanted (url, row)`,
      [odd.id, addresses],
    );
    const search = async (filters: Filters) =>
      (await api(odd.admin.jwt).searchRepos({ path: path(odd), body: { filters } })).body.repos;
    const everything = await search({});
    for (const scmType of ScmType.options)
      assert.deepEqual(
        (await search({ scmType })).map(({ url }) => url),
        everything.filter((repo) => repo.scmType === scmType).map(({ url }) => url),
        scmType,
      );
    assert.equal(everything.filter(({ scmType }) => scmType === 'SCM_TYPE_GITHUB').length, 5);
  });

  test('of the project list are statuses, names and team assignment', async () => {
    const listed = async (
      filter: NonNullable<Parameters<ReturnType<typeof api>['listProjects']>[0]['body']>['filter'],
    ) =>
      (await api(own.admin.jwt).listProjects({ path: path(own), body: { filter } })).body.projects.map(
        ({ name }) => name.split('/')[1],
      );
    assert.deepEqual(await listed({}), ['Scanned', 'failed', 'dir', 'managed']);
    assert.deepEqual(await listed({ statuses: ['PROJECT_STATUS_NOT_SETUP'] }), ['dir']);
    assert.deepEqual(await listed({ statuses: ['PROJECT_STATUS_NOT_SETUP', 'PROJECT_STATUS_ARCHIVED'] }), [
      ...['dir', 'archived'],
    ]);
    assert.deepEqual(await listed({ names: ['ACME/SCANNED', 'no/such'] }), ['Scanned']);
    assert.deepEqual(await listed({ assignedToTeams: false }), []);
    await world.queryAsOwner('delete from team_project where deployment_id = $1 and project_id = $2', [
      ...[own.id, ids['local_scan/dir']],
    ]);
    assert.deepEqual(await listed({ assignedToTeams: false }), ['dir']);
  });
});

describe('a v2 project', () => {
  test('has numeric ids and branch ids, and is returned when deleted', async () => {
    const id = await makeProject('acme/v2');
    const scan = await makeScan({ world, place }, id);
    const { body } = await api().getProject({ path: projectPath(id) });
    const branch = body.project.primaryBranchId;
    assert.deepEqual(
      { ...body.project, createTime: '' },
      {
        id: Number(id),
        name: 'acme/v2',
        createTime: '',
        tags: [],
        latestScanId: Number(scan),
        url: '',
        primaryBranchId: branch,
        defaultBranchId: branch,
        scmType: 'SCM_TYPE_UNKNOWN',
      },
    );
    const branchPath = { ...projectPath(id), branchId: branch as Id<'Branch'> };
    assert.deepEqual((await api().getBranch({ path: branchPath })).body.branch, { id: Number(branch), name: 'main' });
    const elsewhere = { ...branchPath, projectId: (await makeProject()) as Id<'Project'> };
    assert.equal((await api().getBranch({ path: elsewhere })).status, 404);
    assert.deepEqual((await api().deleteProject({ path: projectPath(id) })).body, body);
    assert.equal((await api().getProject({ path: projectPath(id) })).status, 404);
  });
});

describe('team-scoped members', () => {
  test('find and count only projects of their teams and have fewer scopes (AZN-08)', async () => {
    const outsider: TestUser = await world.memberWithoutTeam(place);
    const seen = (await makeObject({ world, place, viewers: [outsider] }, 'Project')) as Id<'Project'>;
    const hidden = await makeProject();
    await api().editRepo({ path: repoPath(hidden), body: { tagsChanges: [{ operation: 'ADD_TAGS', tags: ['x'] }] } });
    const caller = api(outsider.jwt);
    const search = await caller.searchRepos({ path: path(), body: {} });
    assert.deepEqual(
      search.body.repos.map(({ id }) => id),
      [seen],
    );
    assert.deepEqual(search.body.repos[0]?.authorizedScopes, ['REPO_SCOPE_READ_FINDING', 'REPO_SCOPE_TRIAGE_FINDING']);
    assert.equal((await caller.getReposCount({ path: path(), body: {} })).body.count, '1');
    assert.deepEqual((await caller.getReposByTag({ path: path() })).body.tagIdToRepoIds, {});
    const list = await caller.listProjects({ path: path(), body: { filter: { names: [] } } });
    assert.deepEqual(
      list.body.projects.map(({ id }) => id),
      [Number(seen)],
    );
    const missing = await caller.getProject({ path: projectPath('999999999') });
    const invisible = await caller.getProject({ path: projectPath(hidden) });
    assert.deepEqual([invisible.status, invisible.problem.detail], [404, missing.problem.detail]);
    const [team] = await world.queryAsOwner<{ id: string }>(
      'select team_id as id from team_member where account_id = $1',
      [outsider.id],
    );
    await world.inDeployment(place, (tx) =>
      teams.removeProjects(tx, { deployment: place.id, team: team?.id ?? '' }, [seen]),
    );
    assert.equal((await caller.getReposCount({ path: path(), body: {} })).body.count, '0');
  });
});
