import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type AnyFakeHost, connectionTo, HOSTS, syncNow } from '#test/support/hosts/connected-hosts.ts';
import type { FakeGitea } from '#test/support/hosts/fake-gitea.ts';
import type { FakeGithubHost } from '#test/support/hosts/fake-github.ts';
import type { FakeGitlabHost } from '#test/support/hosts/fake-gitlab.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let hosts: AnyFakeHost[];
let gitea: FakeGitea;
let github: FakeGithubHost;
let gitlab: FakeGitlabHost;
let place: TestDeployment;

before(async () => {
  hosts = await Promise.all(HOSTS.map((host) => host.start()));
  [gitea, github, gitlab] = hosts as [FakeGitea, FakeGithubHost, FakeGitlabHost];
  world = await World.start({ PARAPET_EGRESS_ALLOW: hosts.map(({ port }) => `127.0.0.1:${port}`).join(',') });
});
after(async () => {
  await world.stop();
  await Promise.all(hosts.map((host) => host.stop()));
});
beforeEach(async () => {
  for (const host of hosts) {
    host.calls.length = host.repositories.length = host.hooks.length = 0;
    host.token = 'a-token-of-the-test';
  }
  github.scopes = 'repo, read:org, admin:org_hook';
  github.forbidden = undefined;
  gitea.scopes = undefined;
  gitlab.hasGroupHooks = true;
  place = await world.deployment();
});

const path = () => ({ deploymentId: place.id });
const admin = () => world.as(contract, place.admin.jwt);
const scene = () => ({ world, place });

async function connect(host: AnyFakeHost, more: object = {}) {
  const made = await admin().createScmConfig({ path: path(), body: { ...connectionTo(host), ...more } });
  assert.equal(made.status, 201, JSON.stringify(made.problem));
  return made.body.config;
}

const shownRepositories = () =>
  world.queryAsOwner<{ name: string; project: string; is_archived: boolean; is_gone: boolean }>(
    `select repository.name, project.name as project, repository.is_archived, repository.gone_at is not null as is_gone
     from scm_repository as repository join project using (deployment_id)
     where repository.deployment_id = $1 and project.id = repository.project_id order by repository.name`,
    [place.id],
  );
const tagsOf = async (name: string) =>
  (
    await world.queryAsOwner<{ tag: string }>(
      `select tag from project_tag join project on project.deployment_id = project_tag.deployment_id
         and project.id = project_tag.project_id
       where project.deployment_id = $1 and project.name = $2 order by tag`,
      [place.id, name],
    )
  ).map(({ tag }) => tag);

describe('connecting a code host', () => {
  for (const [index, { name }] of HOSTS.entries())
    test(`shows what ${name} says about the token, and never the token`, async () => {
      const config = await connect(hosts[index] as AnyFakeHost);
      assert.deepEqual(
        [config.status.ok, config.status.error, config.hasAccessToken, config.scmId, config.installed],
        [true, '', true, '7', true],
      );
      assert.deepEqual(new Set(Object.values(config.tokenScopes)), new Set([true]));
      const { body } = await admin().listScmConfig({ path: path() });
      assert.equal(body.configs.length, 1);
      assert.doesNotMatch(JSON.stringify(body), /a-token-of-the-test/);
    });

  test('tells exactly why it does not work, and which scopes are missing', async () => {
    gitea.scopes = 'read:repository,read:user,read:organization';
    const weak = await connect(gitea);
    assert.deepEqual(
      [weak.tokenScopes.readContents, weak.tokenScopes.writePullRequestComment, weak.tokenScopes.manageWebhooks],
      [true, false, false],
    );
    github.addRepository('acme/web');
    github.scopes = undefined;
    github.forbidden = /hooks$|pulls$/;
    const { tokenScopes } = await connect(github);
    assert.deepEqual(
      [tokenScopes.readContents, tokenScopes.readPullRequest, tokenScopes.manageWebhooks, tokenScopes.writeContents],
      [true, false, false, false],
    );
    const unknown = await connect(gitlab, { namespace: 'nobody' });
    assert.deepEqual(
      [unknown.status.ok, unknown.status.error],
      [false, 'GitLab shows no group or user named nobody to this token.'],
    );
    gitlab.token = 'another';
    const revoked = await connect(gitlab);
    assert.deepEqual([revoked.status.ok, revoked.status.error], [false, 'GitLab answered 401: 401 Unauthorized']);
  });

  test('is refused twice, for addresses that are not called, and for hosts that are not supported', async () => {
    await connect(gitea);
    const body = connectionTo(gitea);
    const refusalOf = async (more: object) => {
      const { status, problem } = await admin().createScmConfig({ path: path(), body: { ...body, ...more } });
      return `${status} ${problem.code}`;
    };
    assert.equal(await refusalOf({ namespace: 'ACME' }), '409 SCM_CONFIG_EXISTS');
    assert.equal(await refusalOf({ baseUrl: 'http://169.254.169.254' }), '400 SCM_CONFIG_REFUSED');
    assert.equal(await refusalOf({ type: 'SCM_TYPE_HARNESS' }), '400 SCM_TYPE_UNSUPPORTED');
    assert.equal(await refusalOf({ type: 'SCM_TYPE_GITHUB' }), '400 SCM_CONFIG_REFUSED');
    assert.equal(await refusalOf({ namespace: 'other', accessToken: undefined }), '400 SCM_CONFIG_REFUSED');
    for (const namespace of ['../admin', 'acme/..', 'acme//x', 'a?b', 'a#b', 'a%2f'])
      assert.equal(await refusalOf({ namespace }), '400 VALIDATION_FAILED', namespace);
  });

  test('a token goes only where it was given for', async () => {
    const { id } = await connect(gitea);
    const calls = gitea.calls.length;
    const patch = (body: object) => admin().patchScmConfig({ path: { ...path(), configId: id }, body });
    assert.equal((await patch({ namespace: 'other' })).problem.code, 'SCM_CONFIG_REFUSED');
    assert.equal((await patch({ useNetworkBroker: true })).problem.code, 'SCM_CONFIG_REFUSED');
    assert.equal(gitea.calls.length, calls);
    const other = await admin().createScmConfig({
      path: path(),
      body: { ...connectionTo(gitlab), accessToken: undefined, scmConfigId: id },
    });
    assert.equal(other.problem.code, 'SCM_CONFIG_REFUSED');
    assert.equal(gitlab.calls.length, 0);
    const same = await connect(gitea, { namespace: 'jo', accessToken: undefined, scmConfigId: id });
    assert.deepEqual([same.status.ok, same.hasAccessToken], [true, true]);
  });

  test('of many requests at once one connects, and the others are refused', async () => {
    const body = connectionTo(gitea);
    const made = await Promise.all(Array.from({ length: 30 }, () => admin().createScmConfig({ path: path(), body })));
    const statuses = made.map(({ status }) => status).filter((status) => status !== 429);
    assert.equal(statuses.filter((status) => status === 201).length, 1);
    assert.ok(statuses.every((status) => status === 201 || status === 409));
  });

  test('a check asks the host at most once a minute', async () => {
    const { id } = await connect(gitea);
    gitea.calls.length = 0;
    const check = () => admin().checkScmConfig({ path: { ...path(), configId: id } });
    assert.equal((await check()).body.status.ok, true);
    assert.equal(gitea.calls.length, 0);
    world.clockOffsetMs += 61_000;
    gitea.token = 'another';
    const late = await check();
    assert.equal(late.body.status.error, 'Gitea answered 401: user does not exist [uid: 0, name: ]');
    const listed = await admin().searchScmConfig({ path: path(), body: { filter: { statusOk: false } } });
    assert.deepEqual(
      listed.body.configs.map((config) => config.id),
      [id],
    );
    world.clockOffsetMs = 0;
  });

  test('lists are filtered, sorted and paged', async () => {
    for (const namespace of ['acme', 'jo']) await connect(gitea, { namespace });
    await connect(github);
    const search = async (body: object) =>
      (await admin().searchScmConfig({ path: path(), body })).body.configs.map(({ namespace }) => namespace);
    assert.deepEqual(await search({ sortBy: 'SCM_CONFIG_SORT_BY_NAME', sortDirection: 'SORT_DIRECTION_DESC' }), [
      'jo',
      'acme',
      'acme',
    ]);
    assert.deepEqual(await search({ filter: { type: 'SCM_TYPE_UNKNOWN', namespace: 'AC' } }), ['acme']);
    assert.deepEqual(await search({ filter: { type: 'SCM_TYPE_GITHUB_ENTERPRISE' } }), ['acme']);
    assert.deepEqual(await search({ filter: { type: 'SCM_TYPE_GITHUB' } }), []);
    const first = await admin().listScmConfig({
      path: path(),
      query: { limit: '2', sortBy: 'SCM_CONFIG_SORT_BY_NAME' },
    });
    const second = await admin().listScmConfig({
      path: path(),
      query: { limit: '2', sortBy: 'SCM_CONFIG_SORT_BY_NAME', cursor: first.body.cursor },
    });
    assert.deepEqual(
      [...first.body.configs, ...second.body.configs].map(({ namespace }) => namespace),
      ['acme', 'acme', 'jo'],
    );
  });
});

describe('repositories of a code host', () => {
  for (const [index, { name }] of HOSTS.entries())
    test(`of ${name} become projects, follow renames, and are never deleted`, async () => {
      const host = hosts[index] as AnyFakeHost;
      const web = host.addRepository('acme/web', { topics: ['pci'] });
      host.addRepository('acme/old', { isArchived: true });
      host.addRepository('acme/api');
      const { id } = await connect(host);
      const first = await syncNow(scene(), id);
      assert.deepEqual([first?.found, first?.added], [3, 3]);
      web.name = 'acme/website';
      host.repositories.splice(2, 1);
      const second = await syncNow(scene(), id);
      assert.deepEqual([second?.renamed, second?.disconnected, second?.added], [1, 1, 0]);
      assert.deepEqual(await shownRepositories(), [
        { name: 'acme/api', project: 'acme/api', is_archived: false, is_gone: true },
        { name: 'acme/old', project: 'acme/old', is_archived: true, is_gone: false },
        { name: 'acme/website', project: 'acme/website', is_archived: false, is_gone: false },
      ]);
      assert.deepEqual(await tagsOf('acme/website'), ['pci']);
      const removed = await admin().deleteScmConfig({ path: { ...path(), configId: id } });
      assert.equal(removed.status, 204);
      const [projects] = await world.queryAsOwner<{ count: number }>(
        'select count(*)::integer as count from project where deployment_id = $1',
        [place.id],
      );
      assert.equal(projects?.count, 3);
    });

  test('link to the project that CI made, and to one of their own if another host has the name', async () => {
    gitea.addRepository('acme/web');
    github.addRepository('acme/web');
    await world.project(place, 'Acme/Web');
    await syncNow(scene(), (await connect(gitea)).id);
    await syncNow(scene(), (await connect(github)).id);
    assert.deepEqual((await shownRepositories()).map(({ project }) => project).sort(), [
      'Acme/Web',
      'acme/web (127.0.0.1)',
    ]);
  });

  test('topics never take a tag that a person gave, and do not bring back one that a person took', async () => {
    const web = gitea.addRepository('acme/web', { topics: ['pci', 'web'] });
    const { id } = await connect(gitea);
    await syncNow(scene(), id);
    const [project] = await world.queryAsOwner<{ id: string }>(
      `select id::text from project where deployment_id = $1`,
      [place.id],
    );
    await world.queryAsOwner(`delete from project_tag where project_id = $1 and tag = 'pci'`, [project?.id]);
    await world.queryAsOwner(`insert into deployment_tag (deployment_id, tag) values ($1, 'mine')`, [place.id]);
    await world.queryAsOwner(`insert into project_tag values ($1, $2, 'mine')`, [place.id, project?.id]);
    await syncNow(scene(), id);
    assert.deepEqual(await tagsOf('acme/web'), ['mine', 'web']);
    web.topics = ['mine', 'pci'];
    await syncNow(scene(), id);
    web.topics = [];
    await syncNow(scene(), id);
    assert.deepEqual(await tagsOf('acme/web'), ['mine']);
  });

  test('a list that lost more than half is believed the second time, and a skipped one is asked for', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => gitea.addRepository(`acme/${name}`));
    const { id } = await connect(gitea);
    await syncNow(scene(), id);
    gitea.repositories.splice(1);
    assert.deepEqual(
      [(await syncNow(scene(), id))?.isShrunk, (await shownRepositories()).filter((one) => one.is_gone)],
      [true, []],
    );
    const believed = await syncNow(scene(), id);
    assert.deepEqual([believed?.isShrunk, believed?.disconnected], [false, 4]);
    gitea.repositories.push(...all.slice(1));
    assert.equal((await syncNow(scene(), id))?.returned, 4);
    // While the list is read, one repository moves to a page that was read before.
    gitea.skipped.add(all[2] as (typeof all)[number]);
    assert.equal((await syncNow(scene(), id))?.disconnected, 0);
    gitea.skipped.clear();
    const [writes] = await world.queryAsOwner<{ xmin: string }>(
      'select string_agg(xmin::text, $2 order by external_id) as xmin from scm_repository where deployment_id = $1',
      [place.id, ','],
    );
    await syncNow(scene(), id);
    const [same] = await world.queryAsOwner<{ xmin: string }>(
      'select string_agg(xmin::text, $2 order by external_id) as xmin from scm_repository where deployment_id = $1',
      [place.id, ','],
    );
    assert.deepEqual(same, writes);
  });

  test('a transfer between connected namespaces keeps the project, and one elsewhere disconnects it', async () => {
    const web = gitea.addRepository('acme/web');
    const acme = await connect(gitea);
    const jo = await connect(gitea, { namespace: 'jo' });
    await syncNow(scene(), acme.id);
    web.name = 'jo/web';
    await syncNow(scene(), acme.id);
    assert.equal((await shownRepositories())[0]?.is_gone, true);
    await syncNow(scene(), jo.id);
    assert.deepEqual(await shownRepositories(), [
      { name: 'jo/web', project: 'jo/web', is_archived: false, is_gone: false },
    ]);
  });

  test('new ones get managed scans if the connection says so, and a failure in the middle changes no others', async () => {
    const { id } = await connect(gitea, { autoScan: true, autoScanSettings: { diffEnabled: false } });
    gitea.addRepository('acme/one');
    gitea.addRepository('acme/two', { isArchived: true });
    gitea.addRepository('acme/three');
    gitea.fail({ matches: ({ query }) => query.get('page') === '2', status: 500 });
    await assert.rejects(syncNow(scene(), id), /Gitea answered 500/);
    await syncNow(scene(), id);
    assert.deepEqual(
      await world.queryAsOwner(
        `select name, has_managed_full_scan as full, has_managed_diff_scan as diff from project
         where deployment_id = $1 order by name`,
        [place.id],
      ),
      [
        { name: 'acme/one', full: true, diff: false },
        { name: 'acme/three', full: true, diff: false },
        { name: 'acme/two', full: false, diff: false },
      ],
    );
    assert.deepEqual(await tagsOf('acme/one'), ['managed-scan']);
  });
});
