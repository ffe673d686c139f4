import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import * as automations from '#services/automations/contract.ts';
import { recordingOf, replay } from '#test/support/reports/scanner-replay.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

type Actions = ('ACTION_TYPE_BLOCK' | 'ACTION_TYPE_PR_COMMENT')[];

/** An automation for findings of one rule that blocks or comments. */
async function automate(deployment: TestDeployment, rule: string, actions: Actions): Promise<string> {
  const { body, status, problem } = await world.as(automations, deployment.admin.jwt).createAutomation({
    path: { deploymentId: deployment.id },
    body: {
      automation: {
        name: `Stop ${rule}`,
        filters: { conditions: [{ type: 'CONDITION_TYPE_RULE_ID', values: [rule] }] },
        actions: actions.map((type) => ({ type })),
      },
    },
  });
  assert.equal(status, 200, JSON.stringify(problem));
  return body.automation.id;
}

/** Replays a recorded scan, and returns the reply to its completion. */
async function completed(deployment: TestDeployment): Promise<Record<string, unknown>> {
  const { text: token } = await world.token(deployment, { role: 'TOKEN_ROLE_AGENT_CLI', hasWebApi: false });
  const unique_id = randomUUID();
  const change = (body: { scan_metadata?: object }): object => ({
    ...body,
    ...(body.scan_metadata && { scan_metadata: { ...body.scan_metadata, unique_id } }),
  });
  const steps = await replay(await recordingOf('ok'), { baseUrl: world.baseUrl, token, change });
  return steps.find(({ path }) => path.endsWith('/complete'))?.reply ?? assert.fail('the scan was not completed');
}

const modesOf = (deployment: TestDeployment) =>
  world.queryAsOwner<{ rule: string; mode: string }>(
    `select distinct rule, mode from finding where deployment_id = $1 and mode <> 'monitor' order by rule`,
    [deployment.id],
  );

describe('the verdict of a completed scan', () => {
  test('is not to block without a policy that blocks', async () => {
    const deployment = await world.deployment();
    const { app_block_override, app_block_reason, app_blocking_match_based_ids } = await completed(deployment);
    assert.deepEqual([app_block_override, app_block_reason, app_blocking_match_based_ids], [false, '', []]);
  });

  test('names the policy and the findings that block, and the findings get that mode', async () => {
    const deployment = await world.deployment();
    await automate(deployment, 'py.no-eval', ['ACTION_TYPE_BLOCK', 'ACTION_TYPE_PR_COMMENT']);
    await automate(deployment, 'py.no-os-system', ['ACTION_TYPE_PR_COMMENT']);
    const { app_block_override, app_block_reason, app_blocking_match_based_ids } = await completed(deployment);
    assert.equal(app_block_override, true);
    assert.match(String(app_block_reason), /blocked by Stop py\.no-eval\.$/);
    const blocking = await world.queryAsOwner<{ match_based_id: string }>(
      `select match_based_id from finding where deployment_id = $1 and rule = 'py.no-eval' order by id`,
      [deployment.id],
    );
    assert.ok(blocking.length > 0);
    assert.deepEqual(
      app_blocking_match_based_ids,
      blocking.map(({ match_based_id: id }) => id),
    );
    assert.deepEqual(await modesOf(deployment), [
      { rule: 'py.no-eval', mode: 'block' },
      { rule: 'py.no-os-system', mode: 'comment' },
    ]);
  });

  test('leaves out ignored findings', async () => {
    const deployment = await world.deployment();
    await automate(deployment, 'py.no-eval', ['ACTION_TYPE_BLOCK', 'ACTION_TYPE_PR_COMMENT']);
    assert.equal((await completed(deployment))['app_block_override'], true);
    await world.queryAsOwner(`update finding set triage_state = 'ignored' where deployment_id = $1`, [deployment.id]);
    assert.equal((await completed(deployment))['app_block_override'], false);
  });

  test('does not follow an automation that is paused', async () => {
    const deployment = await world.deployment();
    const id = await automate(deployment, 'py.no-eval', ['ACTION_TYPE_BLOCK', 'ACTION_TYPE_PR_COMMENT']);
    await world.queryAsOwner(`update automation set mode = 'paused' where id = $1`, [id]);
    assert.equal((await completed(deployment))['app_block_override'], false);
  });
});
