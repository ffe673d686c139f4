import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verifyTaskToken } from '#domain/tasks/token.ts';
import { Worker } from '#kernel/jobs/worker.ts';
import { makeLog } from '#kernel/log/log.ts';
import { hit, Scanning } from '#test/support/scanning.ts';
import { type Place, World } from '#test/support/world.ts';
import * as contract from './contract.ts';
import { issueExporter } from './export.ts';

let world: World;
let place: Place;
let worker: Worker;

before(async () => {
  world = await World.start();
  place = await world.deployment();
  const { database, assembly } = world;
  const log = makeLog('silent');
  const handlers = [issueExporter()];
  worker = new Worker({ db: assembly.db, connection: database.connection, log, workerId: 'test', handlers });
  worker.start();
});
after(async () => {
  await worker.stop();
  await world.stop();
});

/** The text of the file once it is made; looked up past the links, which are TasksService's own. */
async function fileOf(token: string): Promise<string> {
  const claims = await verifyTaskToken(world.keys, token, new Date());
  for (let turn = 0; turn < 400; turn++) {
    const [task] = await world.look<{ status: string }>('select status from task where id = $1', [claims?.task]);
    if (task?.status === 'completed') break;
    assert.equal(task?.status, 'in_progress');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const pieces = await world.look<{ bytes: Buffer }>('select bytes from task_piece where task_id = $1 order by piece', [
    claims?.task,
  ]);
  return Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('utf8');
}

async function exported(body: Parameters<ReturnType<typeof asAdmin>['exportIssues']>[0]['body'], token?: string) {
  const answer = await asAdmin(token).exportIssues({ path: { deploymentId: place.id }, body });
  assert.equal(answer.status, 202, JSON.stringify(answer.problem));
  return (await fileOf(answer.body.taskTokenJwt)).trimEnd().split('\r\n');
}
const asAdmin = (token = place.admin.jwt) => world.as(contract, token);

test('an export holds every issue of its filter once, and none that its maker may not see (AZN-08)', async () => {
  const scanning = await Scanning.start(world, place);
  const many = Array.from({ length: 620 }, (_, n) =>
    hit({ rule: `rule-${n}`, path: `f${n}.js`, line: 1, code: `x${n}` }),
  );
  await scanning.scan([...many, hit({ rule: '=cmd()', path: 'a,"b".js', line: 1, code: 'y' })]);
  const lines = await exported({});
  assert.equal(lines.length, 1 + 621);
  assert.equal(new Set(lines.map((line) => line.split(',')[0])).size, lines.length);
  assert.deepEqual((await exported({ limit: 3 })).length, 1 + 3);
  const [header = '', row = ''] = await exported({ q: 'path:a*' });
  assert.match(header, /^id,type,state,severity,/);
  assert.match(row, /,'=cmd\(\),.*,"a,""b""\.js",1,/);
  const outsider = await world.outsider(place);
  assert.equal((await exported({}, outsider.jwt)).length, 1);
});
