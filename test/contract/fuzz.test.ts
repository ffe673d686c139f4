import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sendRequest } from '#test/support/http/exchange.ts';
import { fuzz } from '#test/support/http/fuzz.ts';
import { operations } from '#test/support/http/operations.ts';
import { World } from '#test/support/world/world.ts';

/** Some for each operation, however many there are; `npm run faults` sends a hundred thousand. */
const FIXED_REQUESTS = operations.length * 5;
const RANDOM_REQUESTS = operations.length * 3;
/** How many more an operation gets, at most and at a time, whose work no request has reached by chance. */
const SECOND_CHANCES = 150;
const CHANCES_AT_ONCE = 10;
const SEED = 20_260_301;

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

/**
 * The set-up of a world with people is over; nobody guesses a token or the version of a policy; no host and no tracker
 * is connected, no engine served, and the deployment is no demo and, but for chance, not migrated.
 */
const NEVER = new Set([
  'AccountService_CompletePasswordReset',
  'SessionsService_SetUp',
  'SessionsService_RefreshSession',
  'SessionsService_CreateSession',
  'SessionsService_AcceptInvitation',
  'ProjectsService_RefreshProjectsAsync',
  'ProjectsService_SyncRepo',
  'ScannerService_GetEngine',
  'CliLoginService_CollectToken',
  'SecondFactorService_ConfirmSecondFactor',
  'SecondFactorService_RenewRecoveryCodes',
  'SecondFactorService_RemoveSecondFactor',
  'SecondFactorService_BeginSecondFactor',
  'KeylessCiService_ExchangeCiToken',
  'DemoService_GetDemo',
  'DemoService_DeleteDemo',
  'ExternalTicketingService_CreateTicketingInstance',
  'ExternalTicketingService_UpdateTicketingInstance',
  'ExternalTicketingService_LinkTicket',
  'TicketingService_LinkTicket',
  'ManagedScanSettingsService_CreateManagedScanSettings',
  'ScmAppsService_AddAdoScmProject',
  'ScmAppsService_CompleteAdoScmAppInstall',
  'ScmAppsService_CompleteScmAppRequest',
  'ScmAppsService_CreateAdoScmApp',
  'ScmHooksService_ReceiveScmDelivery',
  'ScmSubscriptionsService_ScmWebhookSubscriptionSubscribe',
  'SingleSignOnService_CompleteSignIn',
  'SingleSignOnService_EndProviderSessions',
  'SlackService_HandleSlackCallback',
  'SlackService_ListSlackConversations',
  'SlackService_CreateSlackChannelMapping',
  'PoliciesV2Service_ApplyDetectionPolicy',
  'PoliciesV2Service_ApplyRemediationPolicies',
  'PoliciesV2Service_DryRunDetectionPolicy',
  'PoliciesV2Service_GetDetectionPolicy',
  'PoliciesV2Service_DryRunRemediationPolicies',
  'PoliciesV2Service_GetDetectionPolicySummary',
  'PoliciesV2Service_GetVocab',
  'PoliciesV2Service_GetRemediationPolicies',
]);

/** Sends more requests to operations whose work was not reached, until it is or their chances are used up. */
async function unreachedOf(reached: ReadonlySet<string>): Promise<string[]> {
  let missed = operations.map(({ id }) => id).filter((id) => !reached.has(id) && !NEVER.has(id));
  for (let sent = 0; sent < SECOND_CHANCES && missed.length > 0; sent += CHANCES_AT_ONCE) {
    const only = missed;
    const report = await fuzz({ world, requests: only.length * CHANCES_AT_ONCE, seed: SEED + sent, only });
    assert.deepEqual(report.failures, []);
    missed = missed.filter((id) => !report.succeeded.has(id));
  }
  return missed;
}

const NAME = 'generated requests get only documented replies and never a 500 (INP-01 to INP-08, ERR-01)';

test(NAME, async (context) => {
  const { failures, byVerdict, requests, succeeded } = await fuzz({ world, requests: FIXED_REQUESTS, seed: SEED });
  context.diagnostic(JSON.stringify(byVerdict));
  assert.deepEqual(failures, []);
  assert.equal(requests, FIXED_REQUESTS);
  assert.deepEqual(await unreachedOf(succeeded), [], 'no request reached the work of these operations');
});

test(`${NAME}, with a random seed`, async (context) => {
  const seed = randomInt(2 ** 31);
  context.diagnostic(`seed ${seed}`);
  const { failures, requests } = await fuzz({ world, requests: RANDOM_REQUESTS, seed });
  assert.deepEqual(failures, []);
  assert.equal(requests, RANDOM_REQUESTS);
});

test('the server is healthy afterwards, and no object has an injected member (INP-08)', async () => {
  for (const target of ['/api/health-check', '/api/readiness-check'])
    assert.equal((await sendRequest(world.baseUrl, { method: 'GET', target })).status, 200);
  assert.deepEqual(Object.keys(Object.prototype), []);
  assert.equal('polluted' in {}, false);
});
