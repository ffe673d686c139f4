import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeScan } from '#test/support/factories/scans.ts';
import { statusAndCode } from '#test/support/http/checked-call.ts';
import { sendRequest } from '#test/support/http/exchange.ts';
import { type TestDeployment, type TestUser, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './v1-contract.ts';

let world: World;
let place: TestDeployment;
let token: string;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
  token = (await world.token(place)).text;
});
after(() => world.stop());

const api = (credential = token) => world.as(contract, credential);
const pathOf = (projectName: string, where: TestDeployment = place) => ({ deploymentSlug: where.slug, projectName });

async function makeProject(
  where: TestDeployment = place,
  name = uniqueName('acme/shop'),
): Promise<{ id: string; name: string }> {
  const id = await world.project(where, name);
  await makeScan({ world, place: where }, id);
  await world.queryAsOwner('update project set latest_scan_at = now() where id = $1', [id]);
  return { id, name };
}

const raw = (method: string, target: string, body?: object) =>
  sendRequest(world.baseUrl, {
    method,
    target: `/api/v1/deployments/${place.slug}/projects/${target}`,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
  });

describe('a project', () => {
  test('has exactly these members in order, numeric ids and explicit nulls', async () => {
    const id = await world.project(place, 'acme/plain');
    const { text } = await raw('GET', 'acme/plain');
    const [row] = await world.queryAsOwner<{ at: Date }>('select created_at as at from project where id = $1', [id]);
    const created = row?.at.toISOString().replace('Z', '000Z');
    assert.equal(
      text,
      `{"project":{"id":${id},"name":"acme/plain","url":null,"tags":[],"created_at":"${created}",` +
        '"latest_scan_at":null,"primary_branch":null,"default_branch":null,' +
        '"managed_scan_config":{"diff_scan":{"enabled":false},"full_scan":{"enabled":false}}}}',
    );
  });

  test('is found by name with plain or encoded slashes, ignoring case, by slug or id of the deployment', async () => {
    const { id } = await makeProject(place, 'Group/Sub/Repo');
    for (const target of ['Group/Sub/Repo', 'Group%2FSub%2FRepo', 'group/sub%2Frepo']) {
      const { json } = await raw('GET', target);
      assert.equal((json['project'] as { id: number }).id, Number(id), target);
    }
    const { body } = await api().getProject({ path: { deploymentSlug: place.id, projectName: 'GROUP/SUB/REPO' } });
    assert.equal(body.project.name, 'Group/Sub/Repo');
  });

  test('may end like an operation suffix: the suffix wins only for its methods', async () => {
    await makeProject(place, 'acme/web');
    await makeProject(place, 'acme/web/tags');
    const { json } = await raw('GET', 'acme/web/tags');
    assert.equal((json['project'] as { name: string }).name, 'acme/web/tags');
    const put = await raw('PUT', 'acme/web/tags', { tags: ['one'] });
    assert.equal((put.json['project'] as { name: string }).name, 'acme/web');
    const toggled = await raw('PATCH', 'acme/web/managed-scan', { full_scan: { enabled: true } });
    assert.equal((toggled.json['project'] as { name: string }).name, 'acme/web');
  });

  test('shows branches as full refs, with the default branch as fallback', async () => {
    const { name } = await makeProject();
    const { body } = await api().getProject({ path: pathOf(name) });
    assert.deepEqual(
      [body.project.primary_branch, body.project.default_branch],
      ['refs/heads/main', 'refs/heads/main'],
    );
  });
});

describe('the list', () => {
  test('has scanned or managed projects without archived ones, in pages from 0', async () => {
    const own = await world.deployment();
    const credential = (await world.token(own)).text;
    const names = Array.from({ length: 101 }, (_, index) => `many/${index}`);
    await world.queryAsOwner(
      `insert into project (deployment_id, name, name_key, latest_scan_at)
       select $1, name, name, now() from unnest($2::text[]) as name`,
      [own.id, names],
    );
    await world.project(own, 'never/scanned');
    await world.project(own, 'set/up');
    await api(credential).toggleProjectManagedScan({
      path: pathOf('set/up', own),
      body: { diff_scan: { enabled: true } },
    });
    const archived = await makeProject(own, 'archived/one');
    await world.queryAsOwner('update project set archived_at = now() where id = $1', [archived.id]);
    const page = async (number: number) =>
      (
        await api(credential).listProjects({
          path: { deploymentSlug: own.slug },
          query: { page: number, page_size: 100 },
        })
      ).body.projects;
    assert.deepEqual(
      [...(await page(0)), ...(await page(1))].map(({ name }) => name),
      [...names, 'set/up'],
    );
    assert.deepEqual(await page(2), []);
    assert.equal('managed_scan_config' in ((await page(0))[0] ?? {}), false);
  });

  test('accepts a page_size of 100 to 3000 only', async () => {
    for (const [size, status] of [
      [99, 400],
      [100, 200],
      [3000, 200],
      [3001, 400],
      [0, 400],
    ] as const) {
      const answer = await api().listProjects({
        path: { deploymentSlug: place.slug },
        query: { page: 0, page_size: size },
      });
      assert.equal(answer.status, status, String(size));
    }
  });
});

describe('an update', () => {
  const update = (name: string, body: Parameters<ReturnType<typeof api>['updateProject']>[0]['body']) =>
    api().updateProject({ path: pathOf(name), body });

  test('replaces the tags and keeps absent members', async () => {
    const { name } = await makeProject();
    await update(name, { tags: ['a', 'b'] });
    const { body } = await update(name, { tags: [' c ', 'c', 'b'] });
    assert.deepEqual(body.project.tags, ['b', 'c']);
    assert.deepEqual((await update(name, {})).body.project, body.project);
    assert.deepEqual((await update(name, { tags: [] })).body.project.tags, []);
  });

  test('sets the primary branch, and "None" resets it to the default branch', async () => {
    const { name } = await makeProject();
    const set = await update(name, { primary_branch: 'refs/heads/release' });
    assert.equal(set.body.project.primary_branch, 'refs/heads/release');
    assert.equal((await update(name, { primary_branch: 'trunk' })).body.project.primary_branch, 'refs/heads/trunk');
    assert.equal((await update(name, { primary_branch: 'None' })).body.project.primary_branch, 'refs/heads/main');
    const refused = await update(name, { primary_branch: 'refs/pull/12/merge' });
    assert.deepEqual([refused.status, refused.problem.code], [400, 'PROJECT_CHANGE_REFUSED']);
  });

  test('toggles managed scans together with the tag managed-scan', async () => {
    const { name } = await makeProject();
    const on = await update(name, { managed_scan_config: { full_scan: { enabled: true } } });
    assert.deepEqual(on.body.project.managed_scan_config, {
      diff_scan: { enabled: false },
      full_scan: { enabled: true },
    });
    assert.deepEqual(on.body.project.tags, ['managed-scan']);
    const off = await api().toggleProjectManagedScan({ path: pathOf(name), body: { full_scan: { enabled: false } } });
    assert.deepEqual(off.body.project.tags, []);
  });

  test('accepts path members in the body only if they are equal', async () => {
    const { name } = await makeProject();
    const same = { deploymentSlug: place.slug, projectName: name };
    assert.equal((await update(name, { ...same, tags: ['x'] })).status, 200);
    assert.equal((await update(name, { ...same, projectName: 'another' })).status, 400);
  });

  test('of the primary branch recomputes the findings of the project and reopens none', async () => {
    const { id, name } = await makeProject();
    const finding = await makeFinding(id, { main: 'fixed', release: 'detected' });
    await update(name, { primary_branch: 'refs/heads/release' });
    const stateOf = async () =>
      (
        await world.queryAsOwner<{ state: string; reopened_count: number }>(
          'select state, reopened_count from finding where id = $1',
          [finding],
        )
      )[0];
    assert.deepEqual(await stateOf(), { state: 'detected', reopened_count: 0 });
    await update(name, { primary_branch: 'None' });
    assert.deepEqual(await stateOf(), { state: 'fixed', reopened_count: 0 });
    await update(name, { primary_branch: 'refs/heads/unscanned' });
    assert.deepEqual(await stateOf(), { state: 'elsewhere', reopened_count: 0 });
  });
});

/** A finding with its last state on each branch; the first branch is the default. */
async function makeFinding(project: string, states: Record<string, string>): Promise<string> {
  return world.inDeployment(place, async (tx) => {
    const [finding] = await tx.rows`
      insert into finding (deployment_id, project_id, product, tool, rule, title, message, severity, confidence,
        category, cwes, owasps, path, line, start_column, end_line, end_column, state, first_scan_id, first_seen_at,
        relevant_since)
      values (${place.id}, ${project}, 'sast', 'semgrep', 'a.rule', 'A rule', 'Look', 3, 3, 'security', '{}', '{}',
        'a.ts', 1, 1, 1, 2, ${Object.values(states)[0]}, 1, now(), now()) returning id`;
    for (const [ref, state] of Object.entries(states))
      await tx.run`
        with branch as (
          insert into project_ref (deployment_id, project_id, ref) values (${place.id}, ${project}, ${ref})
          on conflict (deployment_id, project_id, ref) do update set seen_at = now() returning id
        ), analysis as (
          insert into analysis (deployment_id, project_id, ref_id, key)
          select ${place.id}, ${project}, id, 'semgrep' from branch returning id
        )
        insert into detection (deployment_id, analysis_id, finding_id, state, evidence, is_muted, path, line,
          start_column, end_line, end_column, first_scan_id, detected_at, changed_at, changed_scan_id)
        select ${place.id}, id, ${finding?.['id']}, ${state}, 'exact', false, 'a.ts', 1, 1, 1, 2, 1, now(), now(), 1
        from analysis`;
    return String(finding?.['id']);
  });
}

describe('tags', () => {
  test('that are added become tags of the deployment and stay there when removed', async () => {
    const { name } = await makeProject();
    const tag = uniqueName('team:');
    const added = await api().addProjectTags({ path: pathOf(name), body: { tags: [tag, 'b', tag] } });
    assert.deepEqual(added.body.project.tags, ['b', tag]);
    const removed = await api().deleteProjectTags({
      path: pathOf(name),
      query: { tags: [tag, 'never there'] },
      body: {},
    });
    assert.deepEqual(removed.body.project.tags, ['b']);
    const known = await world.queryAsOwner('select from deployment_tag where deployment_id = $1 and tag = $2', [
      place.id,
      tag,
    ]);
    assert.equal(known.length, 1);
  });

  test('are removed with a body too, as a list or a single text, and not without any', async () => {
    const { name } = await makeProject();
    await api().addProjectTags({ path: pathOf(name), body: { tags: ['a', 'b', 'c', 'd'] } });
    const remove = async (query: string, body?: object) => {
      const { status, json } = await raw('DELETE', `${name}/tags${query}`, body);
      return (json['project'] as { tags: string[] } | undefined)?.tags ?? status;
    };
    assert.deepEqual(await remove('', { tags: ['a', 'none'] }), ['b', 'c', 'd']);
    assert.deepEqual(await remove('', { tags: 'b' }), ['c', 'd']);
    assert.deepEqual(await remove('?tags=c', {}), ['d']);
    for (const body of [undefined, {}, { tags: [] }, { tags: 7 }]) assert.equal(await remove('', body), 400);
  });

  test('are removed with every encoding of the list', async () => {
    const { name } = await makeProject();
    for (const query of ['tags=a&tags=b', 'tags=a,b', 'tags[0]=a&tags[1]=b', 'tags[]=a&tags[]=b']) {
      await api().addProjectTags({ path: pathOf(name), body: { tags: ['a', 'b', 'c'] } });
      const { json } = await raw('DELETE', `${name}/tags?${query}`);
      assert.deepEqual((json['project'] as { tags: string[] }).tags, ['c'], query);
    }
    assert.equal(statusAndCode(await raw('DELETE', `${name}/tags`)), '400 VALIDATION_FAILED');
  });

  test('are limited to ten for each project, also with concurrent callers (LIM-04)', async () => {
    const { name } = await makeProject();
    const ten = Array.from({ length: 9 }, (_, index) => `t${index}`);
    await api().addProjectTags({ path: pathOf(name), body: { tags: ten } });
    const answers = await Promise.all(
      ['x', 'y', 'z'].map((tag) => api().addProjectTags({ path: pathOf(name), body: { tags: [tag] } })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
    const { body } = await api().getProject({ path: pathOf(name) });
    assert.equal(body.project.tags.length, 10);
    const eleven = await api().updateProject({ path: pathOf(name), body: { tags: [...ten, 'x', 'y'] } });
    assert.deepEqual([eleven.status, eleven.problem.code], [409, 'TAG_QUOTA']);
  });
});

describe('a deleted project', () => {
  test('deletes its scans and findings and returns its name', async () => {
    const { id, name } = await makeProject();
    await makeFinding(id, { main: 'detected' });
    const { body } = await api().deleteProject({ path: pathOf(name.toUpperCase()) });
    assert.deepEqual(body, { project_name: name });
    for (const table of ['scan', 'finding', 'analysis', 'project_ref'])
      assert.deepEqual(await world.queryAsOwner(`select from ${table} where project_id = $1`, [id]), [], table);
    assert.equal((await api().getProject({ path: pathOf(name) })).status, 404);
    assert.equal((await api().deleteProject({ path: pathOf(name) })).status, 404);
  });
});

describe('team-scoped members', () => {
  let outsider: TestUser;
  let hidden: string;

  before(async () => {
    outsider = await world.memberWithoutTeam(place);
    hidden = (await makeProject()).name;
  });

  test('cannot distinguish projects of other teams from missing ones (AZN-08)', async () => {
    const list = await api(outsider.jwt).listProjects({ path: { deploymentSlug: place.slug } });
    assert.deepEqual(list.body.projects, []);
    const { status, problem } = await api(outsider.jwt).getProject({ path: pathOf(hidden) });
    const absent = await api(outsider.jwt).getProject({ path: pathOf('no/such') });
    assert.deepEqual([status, problem.code, problem.detail], [404, absent.problem.code, absent.problem.detail]);
  });

  test('see projects of their own teams but may not change them', async () => {
    const member = await world.member(place);
    assert.equal((await api(member.jwt).getProject({ path: pathOf(hidden) })).status, 200);
    const change = await api(member.jwt).addProjectTags({ path: pathOf(hidden), body: { tags: ['x'] } });
    assert.deepEqual([change.status, change.problem.code], [403, 'PERMISSION_DENIED']);
  });
});
