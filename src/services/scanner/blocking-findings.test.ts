import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { recordingOf, replay } from '#test/support/reports/scanner-replay.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

let world: World;
let place: TestDeployment;
let token: string;
before(async () => {
  world = await World.start();
  place = await world.deployment();
  token = (await world.token(place, { role: 'TOKEN_ROLE_AGENT_CLI', hasWebApi: false })).text;
});
after(() => world.stop());

const ACTIONS: Record<string, string[]> = { 'py.no-eval': ['block'], 'py.no-os-system': ['comment'] };

const ruled = (one: { check_id: string }) => ({
  ...one,
  metadata: { 'dev.semgrep.actions': ACTIONS[one.check_id] ?? [] },
  is_blocking: ACTIONS[one.check_id]?.includes('block') === true,
});

interface Sent {
  findings?: { check_id: string }[];
  ignores?: { check_id: string }[];
  project_metadata?: object;
  scan_metadata?: object;
  exit_code?: number;
}

/** Replays a recorded scan as a scan of a pull request, with rules that block and comment and the given exit code. */
async function scanPullRequest(number: string, exitCode: number): Promise<void> {
  const unique_id = randomUUID();
  const pull = { branch: `refs/pull/${number}/merge`, on: 'pull_request', pull_request_id: number };
  const change = (body: Sent): object => ({
    ...body,
    ...(body.project_metadata && { project_metadata: { ...body.project_metadata, ...pull } }),
    ...(body.scan_metadata && { scan_metadata: { ...body.scan_metadata, unique_id } }),
    ...(body.findings && { findings: body.findings.map(ruled), ignores: body.ignores?.map(ruled) }),
    ...(body.exit_code !== undefined && { exit_code: exitCode }),
  });
  const steps = await replay(await recordingOf('ok'), { baseUrl: world.baseUrl, token, change });
  assert.ok(steps.every(({ status }) => status === 200));
}

const episodes = async () =>
  (
    await world.queryAsOwner<{ rule_id: string; is_eligible: boolean; is_shown: boolean }>(
      `select distinct rule_id, is_eligible, shown_at is not null as is_shown from guardrail_episode
       where deployment_id = $1 order by rule_id`,
      [place.id],
    )
  ).map(({ rule_id, is_eligible, is_shown }) => [rule_id, is_eligible, is_shown]);

test('blocking findings are shown by the failing check, findings that only comment are not', async () => {
  await scanPullRequest('7', 0);
  const silent = [
    ['py.no-eval', true, false],
    ['py.no-os-system', true, false],
    ['ssc-lodash', false, false],
  ];
  assert.deepEqual(await episodes(), silent);
  await scanPullRequest('7', 1);
  assert.deepEqual(await episodes(), [['py.no-eval', true, true], ...silent.slice(1)]);
});

test('ignored findings are left out by the scanner and are not shown', async () => {
  await world.queryAsOwner('update guardrail_episode set shown_at = null where deployment_id = $1', [place.id]);
  await world.queryAsOwner(`update finding set triage_state = 'ignored' where deployment_id = $1`, [place.id]);
  await scanPullRequest('7', 1);
  assert.deepEqual((await episodes())[0], ['py.no-eval', true, false]);
});
