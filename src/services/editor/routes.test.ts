import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ENGINE } from '#test/support/sandbox/engine.ts';
import { waitFor, waitUntil } from '#test/support/wait.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';
import { findEngine } from './find-engine.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const ruleOf = (pattern: string) =>
  `rules:\n  - id: found\n    pattern: ${pattern}\n    message: m\n    languages: [python]\n    severity: ERROR\n`;
const TARGET = '# ruleid: found\nif one == one:\n# ok: found\nif one == two:\n';

const run = (pattern: string, { target = TARGET, isDeep = false } = {}, used = { world, place }) =>
  used.world
    .as(contract, used.place.admin.jwt)
    .runPattern({ body: { pattern, target, language: 'python', isDeep, isDebug: false } });

interface Output {
  results: { check_id: string; start: { line: number }; extra: { lines: string } }[];
  errors: { type: string }[];
}
const outputOf = ({ body }: Awaited<ReturnType<typeof run>>) => body.scan_result.output as unknown as Output;

describe('a rule run on code', () => {
  test('answers with the report of the engine, the lines it found, and the tests of the rule', async () => {
    const answer = await run(ruleOf('$X == $X'), { isDeep: true });
    assert.deepEqual([answer.status, answer.body.scan_result.status_code], [200, 0]);
    const { results, errors } = outputOf(answer);
    assert.deepEqual(
      results.map(({ check_id, start, extra }) => [check_id, start.line, extra.lines]),
      [['found', 2, 'if one == one:']],
    );
    assert.deepEqual(
      answer.body.test_result.map(({ line_no, status }) => [line_no, status]),
      [
        [2, 'passed'],
        [4, 'passed'],
      ],
    );
    assert.deepEqual(
      errors.map(({ type }) => type),
      ['DeepAnalysisUnavailable'],
    );
    assert.equal(answer.body.scan_result.run_error, undefined);
  });

  test('may be a pattern alone', async () => {
    assert.deepEqual(
      outputOf(await run('one == two')).results.map(({ check_id, start }) => [check_id, start.line]),
      [['-', 4]],
    );
  });

  test('with an error is answered with the error, and without test results', async () => {
    const { status, body } = await run('rules:\n  - id: found\n');
    assert.deepEqual([status, body.scan_result.status_code, body.test_result], [200, 7, []]);
    assert.deepEqual(
      [body.scan_result.run_error?.type, body.scan_result.run_error?.message],
      ['Rule parse error', 'The rule has no pattern.'],
    );
  });

  test('that breaks the engine or writes too much is answered with the reason', async () => {
    const typeOf = async (pattern: string) => {
      const { body } = await run(ruleOf(pattern));
      return [body.scan_result.run_error?.type, body.scan_result.status_code];
    };
    assert.deepEqual(await typeOf('BROKEN'), ['EngineError', 3]);
    assert.deepEqual(await typeOf('TALKATIVE'), ['TooManyMatches', 124]);
  });

  test('ends when its caller disconnects; a third one of the same user is refused meanwhile', async () => {
    const caller = new AbortController();
    const body = { pattern: ruleOf('ENDLESS'), target: TARGET, language: 'python', isDeep: false, isDebug: false };
    const endless = Array.from({ length: contract.MAX_RUNS_PER_USER }, () =>
      fetch(`${world.baseUrl}/api/run`, {
        method: 'POST',
        headers: { authorization: `Bearer ${place.admin.jwt}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: caller.signal,
      }).catch(() => undefined),
    );
    const refused = await waitFor(async () => {
      const answer = await run('one == two');
      return answer.status === 429 ? answer : undefined;
    });
    assert.equal(refused.problem.code, 'RATE_LIMITED');
    const other = await world.member(place);
    assert.equal((await world.as(contract, other.jwt).runPattern({ body: { ...body, pattern: 'x' } })).status, 200);
    caller.abort();
    await Promise.all(endless);
    await waitUntil(async () => (await run('one == two')).status === 200);
  });

  test('leaves no file behind', async () => {
    await run(ruleOf('$X == $X'));
    const folders = join(world.assembly.services.spool.folder, '..', '..', 'sandbox');
    const names = await Promise.all((await readdir(folders)).map((name) => readdir(join(folders, name))));
    assert.deepEqual(new Set(names.flat()), new Set(['heartbeat']));
  });

  test('has limits of size', async () => {
    const codeOf = async (pattern: string, target: string) => (await run(pattern, { target })).problem.code;
    assert.equal(await codeOf('x'.repeat(contract.MAX_PATTERN_LENGTH + 1), ''), 'VALIDATION_FAILED');
    assert.equal(await codeOf('x', 'x'.repeat(contract.MAX_TARGET_LENGTH + 1)), 'VALIDATION_FAILED');
    assert.equal((await run('x', { target: 'é'.repeat(contract.MAX_TARGET_LENGTH) })).status, 200);
  });
});

describe('a server without an engine', () => {
  test('says what is missing', async () => {
    const without = await World.start({ PARAPET_SEMGREP: '/nowhere/semgrep' });
    try {
      const used = { world: without, place: await without.deployment() };
      const { status, problem } = await run('x', {}, used);
      assert.deepEqual([status, problem.code], [503, 'SCANNER_MISSING']);
      assert.match(problem.detail, /PARAPET_SEMGREP names \/nowhere\/semgrep/);
      const { body } = await without.as(contract, used.place.admin.jwt).getEditorEngine({});
      assert.deepEqual([body.isAvailable, body.version], [false, '']);
      assert.match(body.reason, /\/nowhere\/semgrep/);
    } finally {
      await without.stop();
    }
  });

  test('differs from one that has it', async () => {
    const { body } = await world.as(contract, place.admin.jwt).getEditorEngine({});
    assert.deepEqual([body.isAvailable, body.version, body.reason], [true, '9.9.9', '']);
  });

  test('finds an engine on the search path, and the one behind a script of Python', async () => {
    assert.deepEqual(await findEngine('', ['/nowhere']), { reason: 'semgrep is not installed' });
    assert.deepEqual(await findEngine(ENGINE), { path: ENGINE });
  });
});

describe('a saved rule', () => {
  const definition = {
    rules: [{ id: 'found', pattern: '$X', message: 'm', languages: ['python'], severity: 'ERROR' }],
  };
  const save = (jwt: string, body: Record<string, unknown> = definition) =>
    world
      .as(contract, jwt)
      .saveRule({ path: { deploymentId: place.id }, body: { definition: body, test_target: 'x' } });

  test('is a rule of the deployment that the path names', async () => {
    const { body } = await save(place.admin.jwt);
    assert.deepEqual([body.path, body.isNew], ['found', true]);
    assert.equal((await save(place.admin.jwt)).body.isNew, false);
    const rows = await world.queryAsOwner('select from published_rule where deployment_id = $1', [place.id]);
    assert.equal(rows.length, 1);
  });

  test('needs the permission to manage policies, and must be a rule', async () => {
    const member = await world.member(place);
    assert.equal((await save(member.jwt)).problem.code, 'PERMISSION_DENIED');
    assert.equal((await save(place.admin.jwt, { rules: [] })).problem.code, 'RULE_REFUSED');
  });
});
