import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyTaskToken } from '#domain/tasks/task-token.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { JobWorker } from '#kernel/jobs/worker.ts';
import { makeLog } from '#kernel/log/log.ts';
import * as imports from '#services/imports/contract.ts';
import * as workflows from '#services/public-issues/contract.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { waitUntil } from '#test/support/wait.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';
import { issueExportHandler } from './jobs.ts';

let world: World;
let place: TestDeployment;
let worker: JobWorker;

before(async () => {
  world = await World.start();
  place = await world.deployment();
  const { database, assembly } = world;
  const log = makeLog('silent');
  const handlers = [issueExportHandler()];
  worker = new JobWorker({ db: assembly.db, connection: database.connection, log, workerId: 'test', handlers });
  worker.start();
});
after(async () => {
  await worker.stop();
  await world.stop();
});

/** The content of the finished file, read from the database: TasksService tests its download links. */
async function fileOf(token: string): Promise<string> {
  const claims = await verifyTaskToken(world.keys, token, new Date());
  await waitUntil(async () => {
    const [task] = await world.queryAsOwner<{ status: string }>('select status from task where id = $1', [
      claims?.task,
    ]);
    assert.match(task?.status ?? '', /^(completed|in_progress)$/);
    return task?.status === 'completed';
  });
  const pieces = await world.queryAsOwner<{ bytes: Buffer }>(
    'select bytes from task_chunk where task_id = $1 order by chunk',
    [claims?.task],
  );
  return Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('utf8');
}

type Body = Parameters<ReturnType<typeof asAdmin>['exportIssues']>[0]['body'];

const exported = async (body: Body, token?: string) => (await fileFor(body, token)).trimEnd().split('\r\n');

async function fileFor(body: Body, token?: string): Promise<string> {
  const answer = await asAdmin(token).exportIssues({ path: { deploymentId: place.id }, body });
  assert.equal(answer.status, 202, JSON.stringify(answer.problem));
  return fileOf(answer.body.taskTokenJwt);
}
const asAdmin = (token = place.admin.jwt) => world.as(contract, token);

test('an export has every matching issue once and none that its creator may not see (AZN-08)', async () => {
  const scanning = await ProjectScans.start(world, place);
  const many = Array.from({ length: 620 }, (_, n) =>
    makeReportedFinding({ rule: `rule-${n}`, path: `f${n}.js`, line: 1, code: `x${n}` }),
  );
  await scanning.scan([...many, makeReportedFinding({ rule: '=cmd()', path: 'a,"b".js', line: 1, code: 'y' })]);
  const lines = await exported({});
  assert.equal(lines.length, 1 + 621);
  assert.equal(new Set(lines.map((line) => line.split(',')[0])).size, lines.length);
  assert.deepEqual((await exported({ limit: 3 })).length, 1 + 3);
  const [header = '', row = ''] = await exported({ q: 'path:a*' });
  assert.match(header, /^id,type,state,severity,/);
  assert.match(row, /,'=cmd\(\),.*,"a,""b""\.js",1,/);
  const outsider = await world.memberWithoutTeam(place);
  assert.equal((await exported({}, outsider.jwt)).length, 1);
});

test('columns have the requested order, and unknown columns are refused', async () => {
  const [header = '', row = ''] = await exported({ q: 'path:a*', columns: ['path', 'severity', 'rule'] });
  assert.equal(header, 'path,severity,rule');
  assert.equal(row, `"a,""b"".js",high,'=cmd()`);
  const refused = await asAdmin().exportIssues({ path: { deploymentId: place.id }, body: { columns: ['id', 'nope'] } });
  assert.equal(refused.problem.code, 'VALIDATION_FAILED');
  assert.match(JSON.stringify(refused.problem), /#\/columns\/1.*one of id, type, state,/);
  const other = { format: 'EXPORT_FORMAT_JSON', columns: ['id'] } as const;
  const notCsv = await asAdmin().exportIssues({
    path: { deploymentId: place.id },
    body: { ...other, columns: ['id'] },
  });
  assert.equal(notCsv.status, 400);
});

test('UPL-10: formulas are escaped in every column', async () => {
  const scanning = await ProjectScans.start(world, place);
  const evil = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'];
  await scanning.scan(
    evil.map((text, n) =>
      makeReportedFinding({
        rule: `${text}r`,
        path: `${text}${n}`,
        line: 1,
        code: `z${n}`,
        more: { message: text, title: text },
      }),
    ),
  );
  const [project] = await world.queryAsOwner<{ name: string }>('select name from project where id = $1', [
    scanning.project,
  ]);
  const file = await fileFor({ q: `project:${project?.name}`, columns: ['rule', 'title', 'message', 'path'] });
  const cells = file.split(/,|\r\n/).filter((cell) => cell !== '');
  assert.deepEqual(
    cells.filter((cell) => /^"?[=+\-@\t\r]/.test(cell)),
    [],
  );
});

test('a JSON export equals the list', async () => {
  const { issues } = JSON.parse(await fileFor({ q: 'path:f1.js,f2.js', format: 'EXPORT_FORMAT_JSON' })) as {
    issues: { filePath: string }[];
  };
  assert.deepEqual(issues.map(({ filePath }) => filePath).sort(), ['f1.js', 'f2.js']);
  assert.equal(await fileFor({ q: 'path:none', format: 'EXPORT_FORMAT_JSON' }), '{"issues":[]}\n');
});

test('a SARIF export can be imported again with the same findings and fingerprints', async () => {
  const scanning = await ProjectScans.start(world, place);
  const common = { code: 'run(x)', context: 'a\nrun(x)\nb' };
  await scanning.scan([
    makeReportedFinding({
      rule: 'r1',
      path: 'src/a b#.js',
      line: 4,
      ...common,
      more: { fingerprints: { 'own/v1': 'abc' } },
    }),
    makeReportedFinding({
      rule: 'r1',
      path: 'src/a b#.js',
      line: 9,
      ...common,
      more: { severity: 'info', cwes: ['CWE-89'] },
    }),
    makeReportedFinding({
      rule: 'r2',
      path: 'c.js',
      line: 0,
      code: '',
      more: { severity: 'critical', confidence: 'low' },
    }),
    makeReportedFinding({
      rule: 'aws',
      path: 'env',
      line: 1,
      code: '***',
      more: { product: 'secrets', secret: { type: 'AWS', value: 'x' } },
    }),
    makeReportedFinding({
      rule: 'flaw',
      path: 'package-lock.json',
      line: 1,
      code: 'left-pad',
      more: {
        product: 'sca',
        sca: {
          ...{ package: 'left-pad', version: '1.0.0', ecosystem: 'npm', transitivity: 'direct' },
          advisories: ['CVE-2026-1', 'GHSA-1'],
        },
      },
    }),
  ]);
  await scanning.scan([makeReportedFinding({ rule: 'other', path: 'z.js', line: 2, code: 'z()' })], { tool: 'second' });
  const nameOf = async (id: string) =>
    (await world.queryAsOwner<{ name: string }>('select name from project where id = $1', [id]))[0];
  const q = `project:${(await nameOf(scanning.project))?.name}`;
  const file = await fileFor({ q, format: 'EXPORT_FORMAT_SARIF' });
  const answer = await world.as(imports, place.admin.jwt).importReport({
    path: { deployment: place.id },
    query: { project: 'acme/read-back' },
    upload: file,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.problem));
  assert.deepEqual([answer.body.opened, answer.body.format], [6, 'sarif']);
  const facts = (project: string) =>
    world.queryAsOwner(
      `select product, tool, rule, path, line, severity, confidence, package, advisory, secret_type, cwes, array(
         select kind || ' ' || digest from fingerprint where finding_id = finding.id order by 1) as prints
       from finding join project on project.id = project_id where project.name = $1 order by path, line, rule`,
      [project],
    );
  assert.deepEqual(await facts('acme/read-back'), await facts(q.replace('project:', '')));
  const again = await world.as(imports, place.admin.jwt).importReport({
    path: { deployment: place.id },
    query: { project: q.replace('project:', ''), ref: 'main', category: 'read-back' },
    upload: file,
  });
  assert.equal(again.body.opened, 0);
});

describe('an export with workflow issues', () => {
  let q: string;
  let expected: string[];

  before(async () => {
    const scanning = await ProjectScans.start(world, place);
    await scanning.scan([
      makeReportedFinding({ rule: 'r', path: 'm1.js', line: 1, code: 'm1', more: { severity: 'critical' } }),
      makeReportedFinding({ rule: 'r', path: 'm2.js', line: 1, code: 'm2', more: { severity: 'low' } }),
    ]);
    const entry = { projectId: scanning.project as Id<'Project'>, filePaths: ['m.ts'], cwes: ['CWE-862'] };
    const { body } = await world.as(workflows, place.admin.jwt).reportIssues({
      path: { deploymentId: place.id },
      body: {
        workflowId: 'review',
        issues: [
          { identity: 'm one', title: '=HYPERLINK("x")', severity: 'SEVERITY_HIGH', ...entry },
          { identity: 'm two', title: 'Two', description: 'Nobody asks', severity: 'SEVERITY_LOW', ...entry },
        ],
      },
    });
    const [one, two] = body.issues.map(({ id }) => `WF-${id}`);
    const [project] = await world.queryAsOwner<{ name: string }>('select name from project where id = $1', [
      scanning.project,
    ]);
    const rows = await world.queryAsOwner<{ id: string }>(
      'select id::text from finding where project_id = $1 order by severity desc',
      [scanning.project],
    );
    q = `project:${project?.name}`;
    expected = [rows[0]?.id ?? '', one ?? '', two ?? '', rows[1]?.id ?? ''];
  });

  const sortBy = 'SORT_BY_SEVERITY' as const;

  test('has rows of both kinds in list order with distinct ids', async () => {
    const [, ...lines] = await exported({
      q,
      sortBy,
      includeWorkflows: true,
      columns: ['id', 'type', 'title', 'path'],
    });
    assert.deepEqual(
      lines.map((line) => line.split(',')[0]),
      expected,
    );
    assert.equal(lines[1], `${expected[1]},workflow,"'=HYPERLINK(""x"")",m.ts`);
    assert.equal((await exported({ q, sortBy, includeWorkflows: true, limit: 2 })).length, 1 + 2);
    assert.equal((await exported({ q: `${q} type:workflow`, includeWorkflows: true })).length, 1 + 2);
    assert.equal((await exported({ q: `${q} type:workflow` })).length, 1);
    const outsider = await world.memberWithoutTeam(place);
    assert.equal((await exported({ q, includeWorkflows: true }, outsider.jwt)).length, 1);
  });

  test('has no workflow issues unless requested', async () => {
    assert.equal((await exported({ q })).length, 1 + 2);
  });

  test('marks the type of each entry in JSON', async () => {
    const { issues } = JSON.parse(
      await fileFor({ q, sortBy, includeWorkflows: true, format: 'EXPORT_FORMAT_JSON' }),
    ) as { issues: { id: string; issueType: string; projectNames?: string[] }[] };
    assert.deepEqual(
      issues.map(({ issueType }) => issueType),
      ['ISSUE_TYPE_SAST', 'ISSUE_TYPE_WORKFLOW', 'ISSUE_TYPE_WORKFLOW', 'ISSUE_TYPE_SAST'],
    );
    assert.deepEqual(issues[1]?.projectNames, [q.replace('project:', '')]);
  });

  test('has a separate SARIF run for workflow issues, which our importer accepts', async () => {
    const file = await fileFor({ q, includeWorkflows: true, format: 'EXPORT_FORMAT_SARIF' });
    const { runs } = JSON.parse(file) as {
      runs: { tool: { driver: { name: string; rules: object[] } }; results: { message: { text: string } }[] }[];
    };
    assert.deepEqual(
      runs.map(({ tool, results }) => [tool.driver.name, tool.driver.rules.length, results.length]),
      [
        ['checker', 1, 2],
        ['Agentic Workflows', 1, 2],
      ],
    );
    assert.ok(runs[1]?.results.some(({ message }) => message.text === 'Nobody asks'));
    const answer = await world.as(imports, place.admin.jwt).importReport({
      path: { deployment: place.id },
      query: { project: 'acme/mixed-back' },
      upload: file,
    });
    assert.deepEqual([answer.status, answer.body.opened], [200, 4], JSON.stringify(answer.problem));
    const none = await fileFor({ q: 'path:none', includeWorkflows: true, format: 'EXPORT_FORMAT_SARIF' });
    assert.deepEqual((JSON.parse(none) as { runs: object[] }).runs, []);
  });
});
