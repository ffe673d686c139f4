import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_PRODUCT_SETTINGS, mergeProductSettings } from '#domain/products/rules.ts';
import { ProductChange } from '#domain/products/shape.ts';
import { sendRequest } from '#test/support/http/exchange.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

type Body = NonNullable<Parameters<ReturnType<typeof admin>['putDeploymentProductConfig']>[0]['body']>;

const admin = (where: TestDeployment = place) => world.as(contract, where.admin.jwt);
const put = (body: Body, where: TestDeployment = place) =>
  admin(where).putDeploymentProductConfig({ path: { deploymentId: where.id }, body });
const get = async (where: TestDeployment = place, jwt = where.admin.jwt) =>
  (await world.as(contract, jwt).getDeploymentProductConfig({ path: { deploymentId: where.id } })).body.products;

/** A PUT with a body that violates the types. */
async function send(body: string, { headers = {}, where = place }: { headers?: object; where?: TestDeployment } = {}) {
  const answer = await sendRequest(world.baseUrl, {
    method: 'PUT',
    target: `/api/agent/deployments/${where.id}/products`,
    headers: { authorization: `Bearer ${where.admin.jwt}`, 'content-type': 'application/json', ...headers },
    body,
  });
  return answer;
}

const triagePermission = 'TRIAGE_PERMISSION_IGNORE';

describe('create or update deployment product config (seed 4.9)', () => {
  test('the response is 200 with the whole shape of 2.6 wrapped in products', async () => {
    const { status, body } = await put(
      {
        ai: {
          legacy_allow_aiprovider_code_sharing: true,
          enabled: true,
          send_patch_emails: true,
          allowed_providers: ['openai', 'bedrock'],
        },
        sast: {
          enabled: false,
          human_autofix_enabled: false,
          ai_autofix: { enabled: true, min_confidence: 80 },
          ai_autotriage: {
            enabled: true,
            hide_false_positive_comments: true,
            send_to_scm_comments: true,
            send_to_slack: true,
          },
          ai_detection: { enabled: true },
        },
        sca: {
          enabled: false,
          blockPrEnabled: true,
          prCommentsEnabled: true,
          maliciousDependencyAdvisoriesEnabled: false,
          upgradeGuidanceEnabled: true,
          malwareFirewallEnabled: true,
        },
        secrets: {
          enabled: true,
          global_validation_state_policy: { error: 'comment', invalid: 'block' },
          historical_scan: { enabled: true },
          generic_secrets: { enabled: true },
        },
        approversTag: '@acme/security',
        hasDeveloperTriage: true,
      },
      await world.deployment(),
    );
    assert.equal(status, 200);
    assert.deepEqual(body, {
      products: {
        ai: {
          legacy_allow_aiprovider_code_sharing: true,
          enabled: true,
          send_patch_emails: true,
          allowed_providers: ['openai', 'bedrock'],
          mdr_enabled: false,
        },
        sast: {
          enabled: false,
          human_autofix_enabled: false,
          ai_autofix: { enabled: true, min_confidence: 80 },
          ai_autotriage: {
            enabled: true,
            hide_false_positive_comments: true,
            send_to_scm_comments: true,
            send_to_slack: true,
          },
          ai_detection: { enabled: true },
          triagePermission,
        },
        sca: {
          enabled: false,
          blockPrEnabled: true,
          prCommentsEnabled: true,
          maliciousDependencyAdvisoriesEnabled: false,
          upgradeGuidanceEnabled: true,
          malwareFirewallEnabled: true,
          triagePermission,
        },
        secrets: {
          enabled: true,
          global_validation_state_policy: { error: 'comment', invalid: 'block' },
          historical_scan: { enabled: true },
          generic_secrets: { enabled: true },
          triagePermission,
        },
        approversTag: '@acme/security',
        hasDeveloperTriage: true,
      },
    });
  });

  test("an API token is accepted as well as a user's access token", async () => {
    const { text } = await world.token(place);
    const { status } = await world
      .as(contract, text)
      .putDeploymentProductConfig({ path: { deploymentId: place.id }, body: {} });
    assert.equal(status, 200);
  });

  test('deploymentId in the body must agree with the path, as number or as text (AZN-06)', async () => {
    const id = Number(place.id);
    for (const agreeing of [`${id}`, `"${id}"`])
      assert.equal((await send(`{"deploymentId":${agreeing}}`)).status, 200, agreeing);
    const before = await get();
    for (const differing of [`${id + 1}`, `"${id + 1}"`, '0', '"0"', '-1', '9223372036854775807']) {
      const answer = await send(`{"deploymentId":${differing},"approversTag":"nobody"}`);
      assert.equal(answer.status, 400, differing);
      assert.deepEqual(await get(), before);
    }
  });

  test('an explicit null is refused at every member, and nothing changes', async () => {
    const before = await get();
    for (const body of [
      '{"sast":null}',
      '{"sast":{"enabled":null}}',
      '{"approversTag":null}',
      '{"ai":{"enabled":null}}',
    ])
      assert.equal((await send(body)).status, 400, body);
    assert.deepEqual(await get(), before);
  });

  test('response-only members in a request have no effect (AZN-05)', async () => {
    const { status, body } = await put({
      ai: { mdr_enabled: true },
      sast: { triagePermission: 'TRIAGE_PERMISSION_NONE' },
    });
    assert.equal(status, 200);
    assert.equal(body.products.ai.mdr_enabled, false);
    assert.equal(body.products.sast.triagePermission, triagePermission);
    const [row] = await world.queryAsOwner<{ settings: object }>(
      'select settings from product_config where deployment_id = $1',
      [place.id],
    );
    assert.doesNotMatch(JSON.stringify(row?.settings), /mdr_enabled|triagePermission/);
  });

  test('putting back the result of a GET changes nothing', async () => {
    const products = await get();
    const { body } = await put(products);
    assert.deepEqual(body.products, products);
  });

  test('the policies of validation states are monitor, comment or block', async () => {
    for (const word of ['monitor', 'comment', 'block'])
      assert.equal((await send(`{"secrets":{"global_validation_state_policy":{"error":"${word}"}}}`)).status, 200);
    for (const word of ['', 'Block', 'ignore'])
      assert.equal((await send(`{"secrets":{"global_validation_state_policy":{"invalid":"${word}"}}}`)).status, 400);
  });

  test('the confidence is any number from 0 to 100, whole or not', async () => {
    for (const number of [0, 0.75, 100]) {
      const { body } = await put({ sast: { ai_autofix: { min_confidence: number } } });
      assert.equal(body.products.sast.ai_autofix.min_confidence, number);
    }
    for (const number of [-0.1, 100.5])
      assert.equal((await put({ sast: { ai_autofix: { min_confidence: number } } })).status, 400);
  });

  test('the alias of a setting is accepted, and contradicting values are refused', async () => {
    const { body } = await put({ ai: { legacy_allow_openai_code_sharing: true } });
    assert.equal(body.products.ai.legacy_allow_aiprovider_code_sharing, true);
    const both = { legacy_allow_openai_code_sharing: false, legacy_allow_aiprovider_code_sharing: true };
    const { status, problem } = await put({ ai: both });
    assert.deepEqual([status, problem.code], [400, 'PRODUCT_NAMES_DISAGREE']);
  });
});

/** A valid change with nested members. */
const flag = fc.boolean();
const policy = fc.constantFrom('monitor', 'comment', 'block');
const some = (shape: Record<string, fc.Arbitrary<unknown>>) => fc.record(shape, { requiredKeys: [] });
const change = some({
  ai: some({
    enabled: flag,
    allowed_providers: fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 3 }),
  }),
  sast: some({
    human_autofix_enabled: flag,
    ai_autofix: some({ enabled: flag, min_confidence: fc.integer({ min: 0, max: 100 }) }),
    ai_autotriage: some({ enabled: flag, send_to_slack: flag }),
  }),
  sca: some({ prCommentsEnabled: flag, upgradeGuidanceEnabled: flag }),
  secrets: some({ global_validation_state_policy: some({ error: policy, invalid: policy }) }),
  approversTag: fc.stringMatching(/^[a-z@/-]{0,20}$/),
  hasDeveloperTriage: flag,
}).map((body) => ProductChange.parse(body));

describe('absent members are unchanged', () => {
  test('PUT a, then PUT b, equals their merge', async () => {
    await fc.assert(
      fc.asyncProperty(change, change, async (first, second) => {
        const where = await world.deployment();
        await put(first, where);
        const { body } = await put(second, where);
        const expected = mergeProductSettings(mergeProductSettings(DEFAULT_PRODUCT_SETTINGS, first), second);
        assert.deepEqual(ProductChange.parse(body.products), expected);
        assert.deepEqual(await get(where), body.products);
      }),
      { numRuns: 25 },
    );
  });

  test('an absent object is unchanged by any change to the others', async () => {
    const where = await world.deployment();
    const { sast } = (await put({ sast: { ai_autofix: { enabled: true, min_confidence: 42 } } }, where)).body.products;
    await fc.assert(
      fc.asyncProperty(change, async ({ sast: _, ...others }) => {
        assert.deepEqual((await put(others, where)).body.products.sast, sast);
      }),
      { numRuns: 15 },
    );
  });

  test('members of an object are set individually, and a list is replaced as a whole', async () => {
    const where = await world.deployment();
    await put({ ai: { enabled: true, allowed_providers: ['one', 'two'] } }, where);
    const { body } = await put({ ai: { allowed_providers: ['three'] } }, where);
    assert.deepEqual([body.products.ai.enabled, body.products.ai.allowed_providers], [true, ['three']]);
  });
});

describe('versions', () => {
  test('concurrent changes to different members are all applied (CON-03)', async () => {
    const where = await world.deployment();
    const bodies: Body[] = [
      { ai: { enabled: true } },
      { ai: { send_patch_emails: true } },
      { sast: { ai_detection: { enabled: true } } },
      { sca: { blockPrEnabled: true } },
      { sca: { malwareFirewallEnabled: true } },
      { secrets: { enabled: true } },
      { approversTag: 'all' },
      { hasDeveloperTriage: true },
    ];
    await Promise.all([...bodies, ...bodies].map((body) => put(body, where)));
    const products = await get(where);
    assert.deepEqual(
      [products.ai.enabled, products.ai.send_patch_emails, products.sast.ai_detection.enabled],
      [true, true, true],
    );
    assert.deepEqual([products.sca.blockPrEnabled, products.sca.malwareFirewallEnabled], [true, true]);
    assert.deepEqual(
      [products.secrets.enabled, products.approversTag, products.hasDeveloperTriage],
      [true, 'all', true],
    );
  });

  test('with If-Match one of two concurrent changes succeeds, including the very first', async () => {
    const where = await world.deployment();
    const tries = await Promise.all(
      ['one', 'two'].map((tag) =>
        send(JSON.stringify({ approversTag: tag }), { where, headers: { 'if-match': '"0"' } }),
      ),
    );
    assert.deepEqual(tries.map(({ status }) => status).sort(), [200, 412]);
    assert.equal(tries.find(({ status }) => status === 200)?.headers['etag'], '"1"');
    const shown = await admin(where).getDeploymentProductConfig({ path: { deploymentId: where.id } });
    assert.equal(shown.headers.get('etag'), '"1"');
  });

  test('the audit trail has digests of the settings before and after (AUD-01)', async () => {
    const where = await world.deployment();
    await put({ approversTag: 'first' }, where);
    await put({ approversTag: 'second' }, where);
    const [first, second] = await world.queryAsOwner<{ object: string; before: string; after: string }>(
      'select object, before_digest as before, after_digest as after from audit_record ' +
        "where operation = 'DeploymentProductsService.putDeploymentProductConfig' and deployment_id = $1 order by id",
      [where.id],
    );
    assert.equal(first?.object, `products/${where.id}`);
    assert.ok(first?.before && first.after && second?.after);
    assert.equal(second.before, first.after);
    assert.equal(new Set([first.before, first.after, second.after]).size, 3);
  });
});

describe('triagePermission is what the caller may do', () => {
  test('administrators ignore, members request if developer triage is on, readers do neither', async () => {
    const where = await world.deployment();
    const [member, reader] = [await world.member(where), await world.member(where, 'ORG_ROLE_READONLY')];
    const seen = async () =>
      Promise.all(
        [where.admin, member, reader].map(async ({ jwt }) => (await get(where, jwt)).sca.triagePermission.slice(18)),
      );
    assert.deepEqual(await seen(), ['IGNORE', 'IGNORE', 'NONE']);
    await put({ hasDeveloperTriage: true }, where);
    assert.deepEqual(await seen(), ['IGNORE', 'REQUEST', 'NONE']);
  });
});

describe('the settings of the operator', () => {
  test('no scans are suspended, and no rollout is controlled', async () => {
    const { body } = await admin().getDeploymentAdminProductConfig({ path: { deploymentId: place.id } });
    const none = { scans_suspended_on: 0, scans_suspended_until: 0, scans_suspended_by: 0 };
    assert.deepEqual(body, {
      products: { sast: none, sca: none, secrets: none, engine: { controlled_rollout_enabled: false } },
    });
  });
});
