import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_RULEBOARD_ITEMS } from '#domain/policies/rules.ts';
import { MAX_TAGS_PER_PROJECT } from '#domain/projects/rules.ts';
import * as deployments from '#services/deployments/contract.ts';
import * as ignores from '#services/ignores/contract.ts';
import * as policies from '#services/policies/contract.ts';
import * as projects from '#services/projects/contract.ts';
import * as v1Projects from '#services/projects/v1-contract.ts';
import * as ruleboards from '#services/ruleboard/contract.ts';
import * as sessions from '#services/sessions/contract.ts';
import { makeInvitationToken } from '#test/support/factories/people.ts';
import { makeRuleboard, makeUnmigratedDeployment } from '#test/support/factories/ruleboards.ts';
import { World } from '#test/support/world/world.ts';

/** Limits of one object, when many requests compete for the last places (CON-04). */

const REQUESTS = 40;
const PLACES = 3;

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

type Reply = { status: number; problem: { code: string } };

/** A busy machine may answer 503 to some of many requests; they are sent again, as a client would. */
async function untilAnswered(request: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await request();
    if (reply.status !== 503) return reply;
  }
}

/** Sends the requests at once, and returns how many succeeded and the codes of the others. */
async function race(request: (number: number) => Promise<Reply>) {
  const replies = await Promise.all(
    Array.from({ length: REQUESTS }, (_, number) => untilAnswered(() => request(number))),
  );
  const refused = replies.filter(({ status }) => status !== 200).map(({ problem }) => problem.code);
  return { done: REQUESTS - refused.length, codes: [...new Set(refused)].sort() };
}

async function countOf(text: string, values: unknown[]): Promise<number> {
  const [row] = await world.queryAsOwner<{ count: number }>(`select (${text})::integer as count`, values);
  return row?.count ?? 0;
}

test('tags that many requests add to one project at once do not exceed the limit', async () => {
  const place = await world.deployment();
  const project = await world.project(place, 'acme/tagged');
  const { addProjectTags } = world.as(v1Projects, place.admin.jwt);
  const { editRepo } = world.as(projects, place.admin.jwt);
  const outcome = await race((number) => {
    const tags = [`tag-${number}`];
    return number % 2 === 0
      ? addProjectTags({ path: { deploymentSlug: place.slug, projectName: 'acme/tagged' }, body: { tags } })
      : editRepo({
          path: { deploymentId: place.id, idOrName: project },
          body: { tagsChanges: [{ operation: 'ADD_TAGS', tags }] },
        });
  });
  assert.deepEqual(outcome, { done: MAX_TAGS_PER_PROJECT, codes: ['TAG_QUOTA'] });
  assert.equal(
    await countOf('select count(*) from project_tag where project_id = $1', [project]),
    MAX_TAGS_PER_PROJECT,
  );
});

test('patterns that many requests add to one ignore list at once do not exceed the limit', async () => {
  const place = await world.deployment();
  const { createDeploymentProductIgnores } = world.as(ignores, place.admin.jwt);
  const add = (patterns: string[]) =>
    createDeploymentProductIgnores({
      path: { deploymentId: place.id },
      body: { productIgnores: [{ product: 'PRODUCT_SAST', ignores: patterns }] },
    });
  await add(Array.from({ length: ignores.MAX_IGNORE_PATTERNS - PLACES }, (_, number) => `existing-${number}/`));
  assert.deepEqual(await race((number) => add([`new-${number}/`])), { done: PLACES, codes: ['IGNORES_FULL'] });
  assert.equal(
    await countOf('select cardinality(patterns) from ignore_list where deployment_id = $1', [place.id]),
    ignores.MAX_IGNORE_PATTERNS,
  );
});

test('rules that many requests add to one ruleboard at once do not exceed the limit', async () => {
  const place = await world.deployment();
  await makeUnmigratedDeployment({ world, place });
  const board = await makeRuleboard({ world, place });
  await world.queryAsOwner(
    `insert into ruleboard_item (deployment_id, ruleboard_id, kind, path, mode, changed_by)
     select $1, $2, 'rule', 'existing.rule-' || n, 'monitor', '' from generate_series(1, $3::integer) as n`,
    [place.id, board.id, MAX_RULEBOARD_ITEMS - PLACES],
  );
  const { updateRuleboard } = world.as(ruleboards, place.admin.jwt);
  const { updatePolicyRule } = world.as(policies, place.admin.jwt);
  const outcome = await race((number) => {
    const id = `new.rule-${number}`;
    return number % 2 === 0
      ? updateRuleboard({
          path: { deploymentId: place.id, ruleboardSlug: board.slug },
          body: { changes: [{ item: { id, type: 'rule' }, policy: 'rule-board-audit', update_type: 'add' }] },
        })
      : updatePolicyRule({
          path: { deploymentId: place.id, policyId: board.id, rulePath: id },
          body: { policyMode: 'MODE_MONITOR' },
        });
  });
  assert.deepEqual(outcome, { done: PLACES, codes: ['POLICY_FULL', 'RULEBOARD_FULL'] });
  assert.equal(
    await countOf('select count(*) from ruleboard_item where ruleboard_id = $1', [board.id]),
    MAX_RULEBOARD_ITEMS,
  );
});

test('administrators who demote and remove each other at once leave one', async () => {
  for (let round = 0; round < 10; round++) {
    const place = await world.deployment();
    const other = await world.member(place, 'ORG_ROLE_ADMIN');
    const { patchDeploymentUser } = world.as(deployments, place.admin.jwt);
    const { removeDeploymentUser } = world.as(deployments, other.jwt);
    const path = (userId: string) => ({ deploymentId: place.id, userId });
    await Promise.all([
      patchDeploymentUser({ path: path(other.id), body: { newRole: 'ORG_ROLE_MEMBER' } }),
      removeDeploymentUser({ path: path(place.admin.id) }),
    ]);
    const administrators = "select count(*) from membership where deployment_id = $1 and role = 'ORG_ROLE_ADMIN'";
    assert.equal(await countOf(administrators, [place.id]), 1);
  }
});

test('a person who accepts an invitation while an administrator adds them becomes a member at most once', async () => {
  const place = await world.deployment();
  const { addDeploymentUser } = world.as(deployments, place.admin.jwt);
  const { acceptInvitation } = world.as(sessions);
  for (let round = 0; round < 10; round++) {
    const token = await makeInvitationToken({ world, place });
    const [invited] = await world.queryAsOwner<{ email: string }>(
      'select email from invitation where deployment_id = $1 order by id desc limit 1',
      [place.id],
    );
    const email = invited?.email ?? '';
    const accept = () => acceptInvitation({ body: { token, name: 'Guest', password: 'a long enough password' } });
    const add = () => addDeploymentUser({ path: { deploymentId: place.id }, body: { email, role: 'ORG_ROLE_MEMBER' } });
    const replies = await Promise.all(round % 2 === 0 ? [accept(), add(), add()] : [add(), accept(), add()]);
    assert.deepEqual(
      replies.map(({ status }) => status).filter((status) => status === 500),
      [],
    );
    const members = `select count(*) from membership join account on account.id = account_id
      where deployment_id = $1 and email = $2`;
    // An invitation that was replaced in the meantime cannot be accepted.
    const isMember = replies.some(({ status, body }) => status === 200 && 'accessToken' in body);
    assert.equal(await countOf(members, [place.id, email]), isMember ? 1 : 0);
  }
});
