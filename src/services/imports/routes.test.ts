import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import * as notifications from '#services/notifications/contract.ts';
import * as scans from '#services/scans/contract.ts';
import { runsOf } from '#test/support/properties.ts';
import { type CheckerHit, sarifOf } from '#test/support/reports/sarif.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const FOLDER = 'test/fixtures/reports';
type Query = NonNullable<Parameters<ReturnType<typeof client>['importReport']>[0]['query']>;
const client = (token = place.admin.jwt) => world.as(contract, token);

const send = (upload: string | Buffer<ArrayBuffer>, query: Query, token?: string) =>
  client(token).importReport({ path: { deployment: place.id }, query, upload });

async function imported(upload: string | Buffer<ArrayBuffer>, query: Query) {
  const { status, body, problem } = await send(upload, query);
  assert.equal(status, 200, JSON.stringify(problem));
  return body;
}

const countsOf = (project: string) =>
  world.queryAsOwner<{ status: string; count: string }>(
    `select status, count(*) from finding join project on project.id = project_id where name = $1
     group by status order by status`,
    [project],
  );

const semgrep = () => readFile(`${FOLDER}/semgrep-1.70.sarif`);

describe('a report', () => {
  test('is imported without metadata, opens findings, and changes nothing the second time', async () => {
    const bytes = await semgrep();
    const first = await imported(bytes, { project: 'acme/one', ref: 'main', commit: 'abcdef1' });
    assert.equal(first.format, 'sarif');
    assert.ok(first.opened > 0);
    const again = await imported(bytes, { project: 'acme/one', ref: 'main', commit: 'abcdef1' });
    assert.deepEqual([again.scanId, again.opened, again.unchanged], [first.scanId, 0, first.opened]);
    const later = await imported(bytes, { project: 'acme/one', ref: 'main', commit: 'abcdef2' });
    assert.notEqual(later.scanId, first.scanId);
    assert.deepEqual([later.opened, later.fixed, later.unchanged], [0, 0, first.opened]);
  });

  test('is detected by content even with the form content type of curl', async () => {
    const { status, body } = await client().importReport({
      path: { deployment: place.id },
      query: { project: 'acme/curl' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      upload: await semgrep(),
    });
    assert.deepEqual([status, body.format], [200, 'sarif']);
  });

  test('for a later commit is a new scan with the same results', async () => {
    const project = 'acme/repeated';
    const bytes = await semgrep();
    const first = await imported(bytes, { project, commit: 'aaaaaa1' });
    const findings = () =>
      world.queryAsOwner(
        `select finding.id, state, version, found_code, (select count(*) from finding_event where finding_id =
           finding.id) as events, (select count(*) from scan_report where scan_id = scan.id) as pieces
         from finding join project on project.id = finding.project_id
         join scan on scan.project_id = project.id and scan.commit = $2
         where project.name = $1 order by finding.id`,
        [project, 'aaaaaa1'],
      );
    const before = await findings();
    const { scanId, opened, unchanged } = await imported(bytes, { project, commit: 'aaaaaa2' });
    assert.notEqual(scanId, first.scanId);
    assert.deepEqual([opened, unchanged], [0, first.opened]);
    assert.deepEqual(await findings(), before);
    const [scan] = await world.queryAsOwner<{ found: number; pieces: string; status: string }>(
      `select found_code as found, status, (select count(*) from scan_report where scan_id = scan.id) as pieces
       from scan where id = $1`,
      [scanId],
    );
    assert.deepEqual(scan, { found: first.opened, status: 'completed', pieces: '1' });
  });

  test('that follows a different report is parsed again', async () => {
    const project = 'acme/back';
    const bytes = await semgrep();
    const empty = JSON.stringify({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'Semgrep OSS' } }, results: [] }],
    });
    const first = await imported(bytes, { project, commit: 'aaaaaa1' });
    const before = await countsOf(project);
    const gone = await imported(empty, { project, commit: 'aaaaaa2' });
    assert.equal(gone.fixed + gone.removed + gone.held, first.opened);
    const back = await imported(bytes, { project, commit: 'aaaaaa3' });
    assert.equal(back.reopened + back.unchanged, first.opened);
    assert.deepEqual(await countsOf(project), before);
  });

  test('that reports nothing holds the closings, says so, and is confirmed or undone', async () => {
    const hit = (file: number): CheckerHit => ({
      rule: 'eval',
      title: 'Eval',
      path: `src/${file}.js`,
      lines: ['eval(a)'],
      match: 'eval',
    });
    const full = sarifOf(Array.from({ length: 40 }, (_, file) => hit(file)));
    const empty = sarifOf([]);
    const project = 'acme/emptied';
    await imported(full, { project });
    const held = await imported(empty, { project });
    assert.deepEqual([held.held, held.fixed], [40, 0]);
    assert.match(held.warnings[0] ?? '', /^40 findings stay open .* reported nothing at all\. The next full scan/);
    assert.match(held.warnings[0] ?? '', new RegExp(`the page of scan ${held.scanId}\\.`));
    const [notice] = (
      await world.as(notifications, place.admin.jwt).getNotifications({ path: { deploymentId: place.id } })
    ).body.notifications;
    assert.equal(notice?.title, 'acme/emptied: 40 closings wait for confirmation');
    assert.equal(notice?.link, `/o/${place.slug}/scans/${held.scanId}`);
    const diff = (scanId: string) =>
      world.as(scans, place.admin.jwt).getScanDiff({ path: { deploymentId: place.id, scanId } });
    assert.equal((await diff(held.scanId)).body.counts.held, 40);
    const { body: undone } = await client().undoImport({ path: { deployment: place.id, scanId: held.scanId } });
    assert.equal(undone.restored, 40);
    assert.equal((await diff(held.scanId)).body.counts.held, 0);
    await imported(empty, { project });
    const confirmed = await imported(empty, { project });
    assert.deepEqual([confirmed.held, confirmed.fixed, confirmed.warnings], [0, 40, []]);
  });

  test('may be compressed', async () => {
    const plain = await imported(await semgrep(), { project: 'acme/plain' });
    const packed = await imported(gzipSync(await semgrep()), { project: 'acme/packed' });
    assert.equal(packed.opened, plain.opened);
  });

  test('in a dry run shows what it would change and stores nothing', async () => {
    const shown = await imported(await semgrep(), { project: 'acme/dry', dryRun: true });
    assert.ok(shown.opened > 0);
    assert.deepEqual(await countsOf('acme/dry'), []);
    assert.deepEqual(await world.queryAsOwner(`select id from project where name = 'acme/dry'`), []);
    assert.equal((await imported(await semgrep(), { project: 'acme/dry' })).opened, shown.opened);
  });

  test('of a member of one team goes to that team, and a dry run tells nothing about hidden names', async () => {
    const where = await world.deployment();
    const person = await world.memberWithoutTeam(where);
    const team = await world.inDeployment(where, async (tx) => {
      const id = (await teams.insert(tx, { deployment: where.id, name: 'Payments', parent: undefined })) ?? '';
      await members.addMembers(tx, { deployment: where.id, team: id }, [
        { account: person.id, role: 'TEAM_ROLE_MEMBER' },
      ]);
      return id;
    });
    await world.project(where, 'acme/hidden');
    const upload = await semgrep();
    const sendAs = (query: Query) =>
      client(person.jwt).importReport({ path: { deployment: where.id }, query: { ref: 'main', ...query }, upload });
    const dry = [];
    for (const project of ['acme/hidden', 'acme/unknown']) {
      const { status, body } = await sendAs({ project, dryRun: true });
      dry.push([status, { ...body, scanId: '' }]);
    }
    assert.deepEqual(dry[0], dry[1]);
    assert.equal((await sendAs({ project: 'acme/hidden' })).status, 404);
    assert.equal((await sendAs({ project: 'acme/own' })).status, 200);
    const rows = await world.queryAsOwner<{ team_id: string }>(
      `select team_id from team_project join project on project.id = project_id where name = 'acme/own'`,
    );
    assert.ok(rows.some(({ team_id: id }) => id === team));
    assert.equal((await sendAs({ project: 'acme/own' })).status, 200);
  });

  test('that cannot be parsed is refused with a reason and stores nothing', async () => {
    for (const text of ['hello', '{"runs": [', '<xml/>', '{"a":[]}']) {
      const { status, problem } = await send(text, { project: 'acme/bad' });
      assert.equal(status, 400, text);
      assert.equal(problem?.code, 'REPORT_UNREADABLE');
      assert.equal(problem.errors.length, 1);
      assert.ok(problem.detail.endsWith(problem.errors[0]?.detail ?? '?'));
    }
    const { problem } = await send('hello', { project: 'acme/bad' });
    assert.match(problem?.detail ?? '', /Seen: text\. Accepted: sarif, .*, ast-grep.*\.$/);
    assert.deepEqual(await world.queryAsOwner(`select id from project where name = 'acme/bad'`), []);
    assert.deepEqual(await readdir(world.assembly.services.spool.folder), ['heartbeat']);
  });

  test('that is empty is accepted with a warning and closes nothing, unless its format is given', async () => {
    const eslint = await readFile(`${FOLDER}/eslint.json`);
    const { opened } = await imported(eslint, { project: 'acme/empty' });
    for (const text of ['', ' \n', '[]', '[ ]\n', '{}']) {
      const { warnings, ...outcome } = await imported(text, { project: 'acme/empty' });
      assert.deepEqual([outcome.opened, outcome.fixed, outcome.removed, outcome.format], [0, 0, 0, 'unknown']);
      assert.match(warnings.join(), /^The report is empty/);
    }
    assert.equal((await imported('[]', { project: 'acme/empty', format: 'eslint' })).fixed, opened);
  });

  test('is stored unchanged', async () => {
    const { scanId } = await imported(await semgrep(), { project: 'acme/kept' });
    const [row] = await world.queryAsOwner<{ size: number }>(
      'select sum(length(bytes))::integer as size from scan_report where scan_id = $1',
      [scanId],
    );
    assert.ok((row?.size ?? 0) > 100);
  });
});

describe('a recorded report', async () => {
  // `npm run faults` imports all of them.
  const every = runsOf({ full: 1, quick: 4 });
  const names = (await readdir(FOLDER)).filter((one) => one.includes('.'));
  for (const name of names.filter((_, index) => index % every === 0))
    test(`${name} creates no events the second time`, async () => {
      const bytes = await readFile(`${FOLDER}/${name}`);
      const project = `acme/${name}`;
      const first = await imported(bytes, { project, commit: 'aaaaaaa' });
      // Different bytes, because identical reports are skipped.
      const second = await imported(Buffer.concat([bytes, Buffer.from('\n')]), { project, commit: 'bbbbbbb' });
      const { opened, fixed, reopened, removed, moved, held } = second;
      assert.deepEqual(
        { opened, fixed, reopened, removed, moved, held },
        { opened: 0, fixed: 0, reopened: 0, removed: 0, moved: 0, held: 0 },
      );
      assert.equal(second.unchanged, first.opened);
      const events = await world.queryAsOwner(
        `select kind from finding_event join finding on finding.id = finding_id
         join project on project.id = finding.project_id where name = $1 and kind <> 'triaged'`,
        [project],
      );
      assert.deepEqual(events, []);
    });
});

describe('import permissions', () => {
  test('scanner tokens may import and do nothing else', async () => {
    const { text: token } = await world.token(place, { role: 'TOKEN_ROLE_AGENT_CLI', hasWebApi: false });
    const { status, problem } = await send(await semgrep(), { project: 'acme/agent' }, token);
    assert.equal(status, 200, JSON.stringify(problem));
  });

  test('an invisible project is not found', async () => {
    await imported(await semgrep(), { project: 'acme/hidden' });
    const member = await world.member(place, 'ORG_ROLE_MEMBER');
    await world.queryAsOwner(
      `delete from team_project using project where project.id = project_id and name = 'acme/hidden'`,
    );
    const { status } = await send(await semgrep(), { project: 'acme/hidden' }, member.jwt);
    assert.equal(status, 404);
  });
});

test('concurrent reports of one project are serialized', async () => {
  const bytes = await semgrep();
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, index) => imported(bytes, { project: 'acme/many', commit: `abcdef${index}` })),
  );
  const opened = outcomes.map((outcome) => outcome.opened).filter((count) => count > 0);
  assert.equal(opened.length, 1);
  const counts = await countsOf('acme/many');
  assert.equal(
    counts.reduce((sum, { count }) => sum + Number(count), 0),
    opened[0],
  );
});
