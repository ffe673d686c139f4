import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MAX_RULEBOARD_ITEMS } from '#domain/policies/rules.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
});
after(() => world.stop());

const admin = () => world.as(contract, place.admin.jwt);
const at = (ruleboardSlug: string) => ({ deploymentId: place.id, ruleboardSlug });
const makeBoard = async () =>
  (await admin().createRuleboard({ path: { deploymentId: place.id }, body: { name: uniqueName('Board ') } })).body.slug;

type Changes = Parameters<ReturnType<typeof admin>['updateRuleboard']>[0]['body']['changes'];
const change = (id: string, update_type: string, policy?: string, type = 'rule'): Changes[number] => ({
  item: { id, type },
  update_type,
  ...(policy === undefined ? {} : { policy }),
});
const update = (slug: string, changes: Changes, headers: Record<string, string> = {}) =>
  admin().updateRuleboard({ path: at(slug), body: { changes }, headers });
const rulesOf = async (slug: string) =>
  (await admin().getRuleboard({ path: at(slug) })).body.rules.map(({ item, policy }) => [item.type, item.id, policy]);

describe('update ruleboard (seed 4.5)', () => {
  test('answers 200 with the rule entries of the whole board', async () => {
    const slug = await makeBoard();
    const { status, body } = await update(slug, [
      change('p/ci', 'add', 'rule-board-audit', 'ruleset'),
      change('r/b', 'add', 'rule-board-pr-comments'),
      change('r/a', 'add', 'rule-board-block'),
    ]);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      rules: [
        { policy: 'rule-board-block', item: { id: 'r/a', type: 'rule' } },
        { policy: 'rule-board-pr-comments', item: { id: 'r/b', type: 'rule' } },
        { policy: 'rule-board-audit', item: { id: 'p/ci', type: 'ruleset' } },
      ],
    });
    assert.deepEqual((await admin().getRuleboard({ path: at(slug) })).body, body);
  });

  test('the default board of every deployment is called global-policy', async () => {
    const { status } = await update('global-policy', [change('r/default', 'add', 'rule-board-audit')]);
    assert.equal(status, 200);
  });

  test('accepts an API token as well as the JWT of a user', async () => {
    const { text } = await world.token(place);
    const changes = [change('r/x', 'add', 'block')];
    const { status } = await world
      .as(contract, text)
      .updateRuleboard({ path: at(await makeBoard()), body: { changes } });
    assert.equal(status, 200);
  });

  test('add puts an item into a column, update moves it, remove removes it', async () => {
    const slug = await makeBoard();
    await update(slug, [change('a', 'add', 'rule-board-audit'), change('b', 'add', 'rule-board-audit')]);
    await update(slug, [change('a', 'update', 'rule-board-block'), change('b', 'remove')]);
    assert.deepEqual(await rulesOf(slug), [['rule', 'a', 'rule-board-block']]);
  });

  test('synonyms and other cases are accepted', async () => {
    const slug = await makeBoard();
    await update(slug, [change('p/x', 'ADD', 'Rule-Board-Audit', 'PACK')]);
    await update(slug, [change('p/x', 'Move', 'BLOCK', 'ruleset')]);
    assert.deepEqual(await rulesOf(slug), [['ruleset', 'p/x', 'rule-board-block']]);
    await update(slug, [change('p/x', 'DELETE', '', 'Pack')]);
    assert.deepEqual(await rulesOf(slug), []);
  });

  test('unknown values are a 400 that lists the allowed ones', async () => {
    const { status, problem } = await update('global-policy', [change('a', 'upsert', 'rule-board-warn', 'regex')]);
    assert.deepEqual([status, problem.code], [400, 'RULEBOARD_CHANGE_REFUSED']);
    assert.deepEqual(
      problem.errors.map(({ pointer, code }) => `${pointer} ${code}`),
      ['item/type', 'update_type', 'policy'].map((member) => `#/changes/0/${member} UNKNOWN_WORD`),
    );
    assert.match(problem.errors[2]?.detail ?? '', /rule-board-audit.*rule-board-pr-comments.*rule-board-block/);
  });

  test('a secrets board has its own columns', async () => {
    const wrong = await update('global-policy-secrets', [change('a', 'add', 'rule-board-block')]);
    assert.equal(wrong.status, 400);
    await update('global-policy-secrets', [
      change('a', 'add', 'rule-board-secrets-block'),
      change('b', 'add', 'comment'),
    ]);
    assert.deepEqual(await rulesOf('global-policy-secrets'), [
      ['rule', 'a', 'rule-board-secrets-block'],
      ['rule', 'b', 'rule-board-secrets-pr-comments'],
      ['ruleset', 'p/secrets', 'rule-board-secrets-audit'],
    ]);
  });

  test('either all changes apply, or none (AZN-04)', async () => {
    const slug = await makeBoard();
    await update(slug, [change('a', 'add', 'block')]);
    const wrong: Changes[] = [
      [change('a', 'remove'), change('b', 'add', 'nowhere')],
      [change('a', 'remove'), change('b', 'update', 'block')],
      [change('a', 'remove'), change('a', 'add', 'monitor')],
    ];
    for (const changes of wrong) assert.equal((await update(slug, changes)).status, 400);
    assert.deepEqual(await rulesOf(slug), [['rule', 'a', 'rule-board-block']]);
  });

  test('repeating a request changes nothing and is not an error', async () => {
    const slug = await makeBoard();
    const changes = [change('a', 'add', 'block'), change('gone', 'remove')];
    const first = await update(slug, changes);
    const again = await update(slug, changes);
    assert.equal(again.status, 200);
    assert.deepEqual(again.body, first.body);
  });

  test('If-Match makes a change of an outdated board a 412 (CON-02)', async () => {
    const slug = await makeBoard();
    const tag = (await admin().getRuleboard({ path: at(slug) })).headers.get('etag') ?? '';
    const first = await update(slug, [change('a', 'add', 'block')], { 'if-match': tag });
    const second = await update(slug, [change('b', 'add', 'block')], { 'if-match': tag });
    assert.deepEqual([first.status, second.status, second.problem.code], [200, 412, 'VERSION_MISMATCH']);
    assert.deepEqual(await rulesOf(slug), [['rule', 'a', 'rule-board-block']]);
    const third = await update(slug, [], { 'if-match': first.headers.get('etag') ?? '' });
    assert.equal(third.status, 200);
  });

  test('of concurrent writers with one version one succeeds, and each write increments it (CON-02)', async () => {
    const slug = await makeBoard();
    const tags = await Promise.all(
      Array.from({ length: 12 }, (_, n) => update(slug, [change(`r${n}`, 'add', 'block')], { 'if-match': '"1"' })),
    );
    assert.deepEqual(tags.map(({ status }) => status).sort(), [200, ...new Array(11).fill(412)]);
    const free = await Promise.all(
      Array.from({ length: 8 }, (_, n) => update(slug, [change(`s${n}`, 'add', 'block')])),
    );
    assert.deepEqual(
      free.map(({ headers }) => headers.get('etag')).sort(),
      ['"10"', ...Array.from({ length: 7 }, (_, n) => `"${n + 3}"`)].sort(),
    );
    assert.equal((await rulesOf(slug)).length, 9);
  });

  test('weakening a blocking rule is recorded with the state before and after (AUD-01)', async () => {
    const slug = await makeBoard();
    await update(slug, [change('a', 'add', 'block')]);
    const requestId = 'turn-the-alarm-down';
    await update(slug, [change('a', 'update', 'monitor')], { 'x-request-id': requestId });
    const [row] = await world.queryAsOwner<Record<string, string>>('select * from audit_record where request_id = $1', [
      requestId,
    ]);
    assert.equal(row?.['object'], `ruleboard/${slug}`);
    assert.ok(row['before_digest'] && row['after_digest'] && row['before_digest'] !== row['after_digest']);
  });

  test('a board has at most its maximum of items (LIM-04)', async () => {
    const slug = await makeBoard();
    await world.queryAsOwner(
      `insert into ruleboard_item (deployment_id, ruleboard_id, kind, path, mode, changed_by)
       select deployment_id, id, 'rule', 'r' || n, 'monitor', 'test' from ruleboard, generate_series(1, $2::int) as n
       where slug = $1`,
      [slug, MAX_RULEBOARD_ITEMS],
    );
    const full = await update(slug, [change('one-more', 'add', 'block')]);
    assert.deepEqual([full.status, full.problem.code], [409, 'RULEBOARD_FULL']);
    assert.equal((await update(slug, [change('one-more', 'add', 'block'), change('r1', 'remove')])).status, 200);
  });

  test('members may read but not change (AZN-01)', async () => {
    const member = world.as(contract, (await world.member(place)).jwt);
    assert.equal((await member.getRuleboard({ path: at('global-policy') })).status, 200);
    const refused = await member.updateRuleboard({ path: at('global-policy'), body: { changes: [] } });
    assert.deepEqual([refused.status, refused.problem.code], [403, 'PERMISSION_DENIED']);
  });
});
