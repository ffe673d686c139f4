import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { triageFindings } from '#domain/findings/triage/triage.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import {
  automationOf,
  condition,
  considerAll,
  deliveriesOf,
  drain,
  runsOf,
  webhookOf,
} from '#test/support/factories/automations.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { WebhookReceiver } from '#test/support/world/webhook-receiver.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

let world: World;
let place: TestDeployment;
let receiver: WebhookReceiver;
let scans: ProjectScans;

before(async () => {
  receiver = await WebhookReceiver.start();
  world = await World.start({ PARAPET_EGRESS_ALLOW: `127.0.0.1:${receiver.port}` });
});
after(async () => {
  await world.stop();
  await receiver.stop();
});
beforeEach(async () => {
  place = await world.deployment();
  scans = await ProjectScans.start(world, place);
  receiver.received.length = 0;
});

const scene = () => ({ world, place });
const found = (name: string, more: Parameters<typeof makeReportedFinding>[0]['more'] = {}) =>
  makeReportedFinding({ path: `src/${name}.js`, line: 1, code: `eval(${name})`, context: `// ${name}`, more });

async function webhookAction() {
  const id = await webhookOf(scene(), receiver.url);
  return { id, action: { type: 'ACTION_TYPE_WEBHOOK' as const, config: { webhook_id: id } } };
}

const matchesOf = async () => (await runsOf(scene())).map(({ matched, suppressed }) => ({ matched, ...suppressed }));

describe('a batch is considered', () => {
  test('once for all of its findings, with one delivery that carries them all', async () => {
    const { id, action } = await webhookAction();
    await automationOf(scene(), { actions: [action] });
    await scans.scan([found('a'), found('b'), found('c', { severity: 'low' })]);
    await considerAll(scene());
    assert.deepEqual(await matchesOf(), [{ matched: 2 }]);
    assert.deepEqual(
      (await deliveriesOf(scene())).map(({ state, findings }) => [state, findings.length]),
      [['waiting', 2]],
    );
    assert.equal(await drain(scene(), id), 1);
    const [body] = receiver.bodies as { semgrep_finding: { path: string } }[][];
    assert.deepEqual(
      body?.map((item) => item.semgrep_finding.path),
      ['src/a.js', 'src/b.js'],
    );
    assert.deepEqual(
      (await deliveriesOf(scene())).map(({ state }) => state),
      ['sent'],
    );
  });

  test('and a finding fires once while it stays, and again after it came back', async () => {
    await automationOf(scene());
    await scans.scan([found('a')]);
    await scans.scan([found('a'), found('b')]);
    await scans.scan([found('b')]);
    await scans.scan([found('a'), found('b')]);
    await considerAll(scene());
    // The first batch is considered late: its finding had been reopened by then, which is the episode that fires.
    assert.equal(
      (await runsOf(scene())).reduce((sum, { matched }) => sum + matched, 0),
      2,
    );
    await scans.scan([found('b')]);
    await considerAll(scene());
    await scans.scan([found('a'), found('b')]);
    await considerAll(scene());
    assert.equal((await runsOf(scene())).at(-1)?.matched, 1);
  });

  test('and conditions that become true later fire then, once', async () => {
    await automationOf(scene());
    await scans.scan([found('a', { severity: 'low' })]);
    await considerAll(scene());
    await scans.scan([found('a', { severity: 'high' })]);
    await considerAll(scene());
    await scans.scan([found('a', { severity: 'critical' })]);
    await considerAll(scene());
    await scans.scan([found('a', { severity: 'high' })]);
    await considerAll(scene());
    assert.deepEqual(await matchesOf(), [
      { matched: 0 },
      { matched: 1 },
      { matched: 0 },
      { matched: 0, already_fired: 1 },
    ]);
  });

  test('and conditions that already held are not news', async () => {
    await scans.scan([found('a', { severity: 'high' })]);
    await considerAll(scene());
    await automationOf(scene(), { conditions: [condition('SEVERITY', 'high', 'critical')] });
    await scans.scan([found('a', { severity: 'critical' })]);
    await considerAll(scene());
    assert.deepEqual(await matchesOf(), [{ matched: 0, held_before: 1 }]);
  });

  test('and findings of archived projects start nothing', async () => {
    await automationOf(scene());
    await scans.scan([found('a')]);
    await world.queryAsOwner('update project set archived_at = now() where id = $1', [scans.project]);
    await considerAll(scene());
    assert.deepEqual(await matchesOf(), [{ matched: 0, archived_project: 1 }]);
  });

  test('and what was fixed before is passed over, and the record says so', async () => {
    await automationOf(scene());
    await scans.scan([found('a'), found('b')]);
    await scans.scan([found('b')]);
    await considerAll(scene());
    assert.deepEqual((await matchesOf())[0], { matched: 1, not_open: 1 });
  });

  test('and an automation about fixed findings fires when they are fixed', async () => {
    await automationOf(scene(), { conditions: [condition('AGGREGATE_STATE', 'fixed')] });
    await scans.scan([found('a'), found('b')]);
    await considerAll(scene());
    await scans.scan([found('b')]);
    await considerAll(scene());
    assert.deepEqual(await matchesOf(), [{ matched: 0 }, { matched: 1 }]);
  });

  test('and PRIMARY_REF fires when a finding of a branch lands', async () => {
    await automationOf(scene(), { conditions: [condition('PRIMARY_REF', 'true')] });
    await automationOf(scene(), { conditions: [condition('SEVERITY', 'high')] });
    await scans.scan([found('z')]);
    await considerAll(scene());
    await scans.scan([found('z'), found('a')], { ref: 'feature' });
    await considerAll(scene());
    await scans.scan([found('z'), found('a')]);
    await considerAll(scene());
    const runs = await runsOf(scene());
    const [primary, any] = [...new Set(runs.map((run) => run.automation_id))].map((automation) =>
      runs.filter((run) => run.automation_id === automation).map(({ matched }) => matched),
    );
    assert.deepEqual(
      [primary, any],
      [
        [1, 0, 1],
        [1, 1, 0],
      ],
    );
  });

  test('and a condition whose tag was deleted fails its run, and matches nothing', async () => {
    await automationOf(scene(), {
      conditions: [{ ...condition('REPOSITORY_TAG_ID', 'payments'), mode: 'MODE_NONE' }],
    });
    await scans.scan([found('a')]);
    await considerAll(scene());
    const [run] = await runsOf(scene());
    assert.equal(run?.matched, 0);
    assert.match(run?.failure ?? '', /CONDITION_TYPE_REPOSITORY_TAG_ID payments/);
  });

  test('and a paused automation has no run, a simulating one records what it would do', async () => {
    const { action } = await webhookAction();
    const automation = await automationOf(scene(), { actions: [action] });
    await world.queryAsOwner(`update automation set mode = 'simulate' where id = $1`, [automation]);
    const paused = await automationOf(scene());
    await world.queryAsOwner(`update automation set mode = 'paused' where id = $1`, [paused]);
    await scans.scan([found('a')]);
    await considerAll(scene());
    assert.deepEqual(
      (await runsOf(scene())).map(({ automation_id: id }) => id),
      [automation],
    );
    assert.deepEqual(
      (await deliveriesOf(scene())).map(({ state }) => state),
      ['would'],
    );
  });

  test('and actions that nothing carries out are skipped with a reason', async () => {
    await automationOf(scene(), {
      actions: [
        { type: 'ACTION_TYPE_OPEN_AUTOFIX_PR', config: {} },
        { type: 'ACTION_TYPE_WEBHOOK', config: { webhook_id: '999' } },
      ],
    });
    await scans.scan([found('a')]);
    await considerAll(scene());
    assert.deepEqual(
      (await deliveriesOf(scene())).map(({ state, reason }) => [state, reason]),
      [
        ['skipped', 'This server does not open pull requests.'],
        ['skipped', 'The webhook does not exist any more.'],
      ],
    );
  });
});

describe('triage by automations', () => {
  const ignore = { type: 'ACTION_TYPE_TRIAGE' as const, config: { state: 'ignored', reason: 'no_time' } };
  const stateOf = async () =>
    (
      await world.queryAsOwner<{ triage_state: string; triaged_by: string | null }>(
        'select triage_state, triaged_by from finding where project_id = $1 order by path',
        [scans.project],
      )
    ).map(({ triage_state: state, triaged_by: by }) => `${state} by ${by ?? 'nobody'}`);
  const decide = (finding: string, state: 'reviewing' | 'untriaged') => {
    const permissions = new Set(['issue:triage', 'product:manage']);
    const email = 'ann@example.com';
    const rights = { deployment: place.id, permissions, seesEverything: true };
    const caller = { ...anonymousCaller, ...rights, kind: 'user' as const, email };
    return world.inDeployment(place, (tx) =>
      triageFindings(tx, { caller, now: new Date() }, { filter: { ids: [finding] }, decision: { state } }),
    );
  };

  test('is committed with the match, and never changes a decision of a person', async () => {
    await automationOf(scene(), { name: 'Ignore', conditions: [condition('SEVERITY', 'high')], actions: [ignore] });
    await scans.scan([found('a'), found('b'), found('c')]);
    const [a, b] = await scans.findings();
    await decide(a?.id ?? '', 'reviewing');
    await decide(b?.id ?? '', 'reviewing');
    await decide(b?.id ?? '', 'untriaged');
    await considerAll(scene());
    assert.deepEqual(await stateOf(), [
      'reviewing by ann@example.com',
      'untriaged by ann@example.com',
      'ignored by automation ignore',
    ]);
    assert.equal((await runsOf(scene()))[0]?.suppressed['decided_by_people'], 2);
  });

  test('ends, although two automations undo each other', async () => {
    const trigger = 'TRIGGER_SOURCE_ISSUE_TRIAGED' as const;
    const reviewing = { type: 'ACTION_TYPE_TRIAGE' as const, config: { state: 'reviewing' } };
    await automationOf(scene(), { conditions: [condition('SEVERITY', 'high')], actions: [ignore] });
    const on = (state: string) => [condition('TRIAGE_STATE', state)];
    await automationOf(scene(), { trigger, conditions: on('ignored'), actions: [reviewing] });
    await automationOf(scene(), { trigger, conditions: on('reviewing'), actions: [ignore] });
    await scans.scan([found('a')]);
    await considerAll(scene());
    const batches = await world.queryAsOwner<{ depth: number }>(
      `select depth from finding_batch where deployment_id = $1 and kind = 'triage' order by id`,
      [place.id],
    );
    assert.deepEqual(
      batches.map(({ depth }) => depth),
      [1, 2, 3],
    );
  });
});
