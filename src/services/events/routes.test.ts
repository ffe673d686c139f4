import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { DEFAULT_LIVE_LIMITS } from '#kernel/http/pipeline/live-stream.ts';
import * as deploymentRoom from '#services/deployments/contract.ts';
import * as imports from '#services/imports/contract.ts';
import * as bulk from '#services/issues/bulk/contract.ts';
import * as workflows from '#services/public-issues/contract.ts';
import * as teamRoom from '#services/teams/contract.ts';
import * as tokenRoom from '#services/token/contract.ts';
import { EventStream } from '#test/support/http/event-stream.ts';
import { waitUntil } from '#test/support/wait.ts';
import { type TestDeployment, type TestUser, uniqueName, World } from '#test/support/world/world.ts';

const LIVE = { lifetimeMs: 60_000, keepAliveMs: 50, recheckMs: 60, lingerMs: 200, maxBufferBytes: 20_000 };

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start({}, { live: LIVE, feedMs: 10 });
  place = await world.deployment();
});
after(() => world.stop());

const report = (paths: readonly string[]) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'demo', rules: [{ id: 'no-eval' }] } },
        results: paths.map((uri) => ({
          ruleId: 'no-eval',
          level: 'error',
          message: { text: 'eval' },
          locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } } }],
        })),
      },
    ],
  });

async function importInto(where: TestDeployment, project: string, paths: readonly string[]) {
  const { status, body, problem } = await world.as(imports, where.admin.jwt).importReport({
    path: { deployment: where.id },
    query: { project, ref: 'main' },
    upload: report(paths),
  });
  assert.equal(status, 200, JSON.stringify(problem));
  return body;
}

const listen = (token = place.admin.jwt, more: { query?: string; headers?: Record<string, string> } = {}) =>
  EventStream.open(world, { deployment: place.id, token, ...more });

const makeTeam = (where: TestDeployment = place) =>
  world.as(teamRoom, where.admin.jwt).createDeploymentTeam({
    path: { deploymentId: where.id },
    body: { team: { name: uniqueName('Team ') } },
  });

describe('an event stream', () => {
  test('has the common headers, is not cached, and starts with the retry interval', async () => {
    const stream = await listen();
    const { statusCode, headers } = stream.message;
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/event-stream; charset=utf-8']);
    assert.deepEqual([headers['cache-control'], headers['content-encoding']], ['no-store', undefined]);
    for (const name of ['x-request-id', 'parapet-version', 'x-content-type-options', 'ratelimit'])
      assert.ok(headers[name] !== undefined, name);
    await waitUntil(() => stream.text.includes('\n\n:\n\n'));
    assert.ok(stream.text.startsWith('retry: 3000\n\n'));
    stream.close();
  });

  test('sends events for imported reports, triage and other changes', async () => {
    const stream = await listen();
    const { scanId } = await importInto(place, 'acme/told', ['a.ts', 'b.ts']);
    const { id, data } = await stream.hear('scan.completed');
    const [project] = await world.queryAsOwner<{ id: string }>("select id from project where name = 'acme/told'");
    const facts = { scanId, projectId: project?.id, projectName: 'acme/told', ref: 'main' };
    assert.deepEqual(data.data, { ...facts, opened: 2, fixed: 0, reopened: 0 });
    assert.deepEqual([data.id, data.type, data.deploymentId], [id, 'scan.completed', place.id]);
    assert.equal(new Date(data.at).toISOString(), data.at);
    const { body } = await world.as(bulk, place.admin.jwt).bulkUpdateIssues({
      path: { deploymentId: place.id },
      body: { q: 'project:acme/told', params: { triageState: 'FINDING_TRIAGE_STATE_REVIEWING' } },
    });
    const triaged = await stream.hear('findings.triaged');
    assert.deepEqual(triaged.data.data, {
      batchId: body.batchId,
      count: 2,
      by: place.admin.email,
    });
    await makeTeam();
    assert.deepEqual((await stream.hear('deployment.changed')).data.data, { what: 'team' });
    stream.close();
  });

  test('sends one event for a batch about workflow issues', async () => {
    const path = { deploymentId: place.id };
    const body = { workflowId: 'review', issues: [{ identity: 'told', title: 'Told' }] };
    const handedIn = await world.as(workflows, place.admin.jwt).reportIssues({ path, body });
    const stream = await listen();
    const triageState = 'TRIAGE_STATE_REVIEWING' as const;
    const issueId = handedIn.body.issues[0]?.id ?? ('' as never);
    await world.as(workflows, place.admin.jwt).triageIssue({ path: { ...path, issueId }, body: { triageState } });
    const one = await stream.hear('deployment.changed');
    const all = {
      ...{ q: 'type:workflow', snapshot: '9007199254740991', includeWorkflows: true },
      params: { triageState: 'FINDING_TRIAGE_STATE_FIXING' as const },
    };
    await world.as(bulk, place.admin.jwt).startBulkUpdate({ path, body: all });
    const many = await stream.hear('deployment.changed', ({ id }) => id !== one.id);
    assert.deepEqual([one.data.data, many.data.data], [{ what: 'issue' }, { what: 'issue' }]);
    stream.close();
  });

  test('sends no events of other deployments', async () => {
    const other = await world.deployment();
    const stream = await listen();
    await importInto(other, 'acme/elsewhere', ['a.ts']);
    await makeTeam(other);
    await makeTeam();
    await stream.hear('deployment.changed');
    assert.deepEqual(
      stream.events.map(({ event }) => event),
      ['deployment.changed'],
    );
    stream.close();
  });

  test('sends events of scans and triage only to callers who may see the project', async () => {
    const [insider, outsider] = [await world.memberWithoutTeam(place), await world.memberWithoutTeam(place)];
    await importInto(place, 'acme/secret', ['a.ts']);
    const [project] = await world.queryAsOwner<{ id: string }>("select id from project where name = 'acme/secret'");
    await world.inDeployment(place, async (tx) => {
      const team =
        (await teams.insert(tx, { deployment: place.id, name: uniqueName('Team '), parent: undefined })) ?? '';
      await members.addMembers(tx, { deployment: place.id, team }, [{ account: insider.id, role: 'TEAM_ROLE_MEMBER' }]);
      await members.addProjects(tx, { deployment: place.id, team }, [project?.id ?? '']);
    });
    const [inside, outside] = [await listen(insider.jwt), await listen(outsider.jwt)];
    await importInto(place, 'acme/secret', ['a.ts', 'c.ts']);
    assert.equal((await inside.hear('scan.completed')).data.data['opened'], 1);
    await makeTeam();
    await outside.hear('deployment.changed', ({ data }) => data.data['what'] === 'team');
    assert.deepEqual(
      outside.events.filter(({ event }) => event !== 'deployment.changed'),
      [],
    );
    for (const stream of [inside, outside]) stream.close();
  });

  test('resumes after the last event id, from header or query', async () => {
    const first = await listen();
    await makeTeam();
    const { id } = await first.hear('deployment.changed');
    first.close();
    const { scanId } = await importInto(place, uniqueName('acme/missed'), ['a.ts']);
    for (const more of [{ headers: { 'last-event-id': id } }, { query: `?lastEventId=${encodeURIComponent(id)}` }]) {
      const stream = await listen(place.admin.jwt, more);
      assert.equal((await stream.hear('scan.completed')).data.data['scanId'], scanId);
      assert.ok(!stream.events.some((heard) => heard.id === id), 'what was heard is told again');
      stream.close();
    }
    const anew = await listen(place.admin.jwt, { query: '?lastEventId=nonsense' });
    await makeTeam();
    await anew.hear('deployment.changed');
    assert.equal(anew.events.length, 1);
    anew.close();
  });
});

describe('an event stream ends', () => {
  test('within a second when a person is removed or a token is revoked, by default', async () => {
    assert.ok(DEFAULT_LIVE_LIMITS.recheckMs <= 500);
    const { recheckMs: _, ...live } = LIVE;
    const usual = await World.start({}, { live });
    const home = await usual.deployment();
    const [person, token] = [await usual.member(home), await usual.token(home)];
    const open = (text: string) => EventStream.open(usual, { deployment: home.id, token: text });
    const streams = [await open(person.jwt), await open(token.text)];
    const stays = await open(home.admin.jwt);
    const path = { deploymentId: home.id };
    const removed = { path: { ...path, userId: person.id as Id<'User'> } };
    await usual.as(deploymentRoom, home.admin.jwt).removeDeploymentUser(removed);
    await usual.as(tokenRoom, home.admin.jwt).deleteToken({ path: { ...path, tokenId: token.id as Id<'Token'> } });
    for (const stream of streams) await stream.ended();
    assert.equal(stays.isEnded, false);
    await usual.stop();
  });

  test('when the session is ended', async () => {
    const person = await world.member(place);
    const stream = await listen(person.jwt);
    await world.queryAsOwner('update session set ended_at = now() where id = $1', [person.session]);
    await stream.ended();
    assert.ok(stream.message.complete, 'it is not cut off');
  });

  test('when the role no longer has the permission, and when the person leaves', async () => {
    const gone = async (person: TestUser, change: string) => {
      const stream = await listen(person.jwt);
      await world.queryAsOwner(change, [place.id, person.id]);
      await stream.ended();
    };
    const one = 'deployment_id = $1 and account_id = $2';
    await gone(await world.member(place), `update membership set role = 'ORG_ROLE_IMPERSONATOR' where ${one}`);
    await gone(await world.memberWithoutTeam(place), `delete from membership where ${one}`);
  });

  test('when its client does not read, so that the buffer stays small', async () => {
    const { hostname, port } = new URL(world.baseUrl);
    const { liveStreams } = world.assembly.services;
    await waitUntil(() => liveStreams.count === 0);
    const lazy = connect(Number(port), hostname);
    lazy.on('error', () => undefined);
    lazy.pause();
    const person = await world.member(place);
    lazy.write(
      `GET /api/events/v1/deployments/${place.id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${person.jwt}\r\n\r\n`,
    );
    await waitUntil(() => liveStreams.count === 1);
    await world.queryAsOwner(
      `insert into audit_record (deployment_id, request_id, actor_kind, actor, credential, address, operation,
         object, result)
       select $1, 'flood', 'user', '', '', '', 'T.t', 'k' || translate(n::text, '0123456789', 'abcdefghij') || '/1',
         '200'
       from generate_series(1, 60000) as n`,
      [place.id],
    );
    await waitUntil(() => liveStreams.count === 0);
    lazy.destroy();
  });

  test('at most ten streams per caller are open, and closing one frees its place', async () => {
    const person = await world.member(place);
    const open = await Promise.all(Array.from({ length: 10 }, () => listen(person.jwt)));
    const refused = await listen(person.jwt);
    assert.equal(refused.message.statusCode, 429);
    assert.ok(refused.message.headers['retry-after'] !== undefined);
    await waitUntil(() => refused.text.includes('TOO_MANY_STREAMS'));
    const other = await listen((await world.member(place)).jwt);
    assert.equal(other.message.statusCode, 200);
    open[0]?.close();
    await waitUntil(() => world.assembly.services.liveStreams.count === 10);
    const again = await listen(person.jwt);
    assert.equal(again.message.statusCode, 200);
    for (const stream of [...open, other, again]) stream.close();
    await waitUntil(() => world.assembly.services.liveStreams.count === 0);
  });

  test('a HEAD request leaves no stream open', async () => {
    const target = `${world.baseUrl}/api/events/v1/deployments/${place.id}`;
    const { status } = await fetch(target, { method: 'HEAD', headers: { authorization: `Bearer ${place.admin.jwt}` } });
    assert.equal(status, 200);
    await waitUntil(() => world.assembly.services.liveStreams.count === 0);
  });

  test('after its maximum duration, and when the server stops, which does not wait for it', async () => {
    const brief = await World.start({}, { live: { ...LIVE, maxStreams: 2, lifetimeMs: 100, keepAliveMs: 1 } });
    const home = await brief.deployment();
    const stream = await EventStream.open(brief, { deployment: home.id, token: home.admin.jwt });
    await stream.ended();
    assert.ok(stream.text.startsWith('retry: 3000\n\n:\n\n'), 'however soon silence is broken');
    await brief.stop();
    const stopping = await World.start({}, { live: { ...LIVE, maxStreams: 2 } });
    const there = await stopping.deployment();
    const open = () => EventStream.open(stopping, { deployment: there.id, token: there.admin.jwt });
    const both = [await open(), await open()];
    const full = await open();
    assert.equal(full.message.statusCode, 503);
    const start = performance.now();
    await stopping.stop();
    assert.ok(both.every(({ isEnded, message }) => isEnded && message.complete));
    assert.ok(performance.now() - start < LIVE.lifetimeMs, 'the stop waited for streams');
    await sleep(0);
  });
});
