import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { MAX_TOKENS } from '#domain/accounts/shape.ts';
import { MAX_PENDING_INVITATIONS } from '#domain/invitations/shape.ts';
import { MAX_RULEBOARDS } from '#domain/policies/ruleboards.ts';
import { MAX_PUBLISHED_RULES } from '#domain/rules/publish-rule.ts';
import { MAX_RUNNING_TASKS } from '#domain/tasks/task-runner.ts';
import { MAX_AUTOMATIONS } from '#services/automations/contract.ts';
import { MAX_SSO_PROVIDERS } from '#services/deployment-sso-providers/contract.ts';
import { MAX_SSO_DOMAINS } from '#services/deployment-sso-providers/settings-contract.ts';
import { MAX_CI_TRUSTS } from '#services/keyless-ci/contract.ts';
import { MAX_NOTIFICATION_RULES } from '#services/notification-rules/contract.ts';
import { MAX_NOTIFICATION_WEBHOOKS } from '#services/notification-webhooks/contract.ts';
import { MAX_PACKAGE_MANAGER_CONFIGS } from '#services/package-manager-configs/contract.ts';
import { MAX_PARTNER_CREDENTIALS } from '#services/partner-credential/contract.ts';
import { MAX_SCIM_GROUPS, MAX_SCIM_USERS } from '#services/scim/scim-shape.ts';
import { MAX_SCM_APPS } from '#services/scm-apps/contract.ts';
import { MAX_STORAGE_CREDENTIALS } from '#services/storage-credentials/contract.ts';
import { MAX_CASES_PER_DAY } from '#services/support/contract.ts';
import { MAX_SURVEY_RESPONSES } from '#services/surveys/contract.ts';
import { MAX_TEAMS } from '#services/teams/contract.ts';
import { makeExampleCall } from '#test/support/factories/example-objects.ts';
import { type CheckedCall, callChecked, statusAndCode } from '#test/support/http/checked-call.ts';
import { type ListedOperation, operations } from '#test/support/http/operations.ts';
import { columnsOf } from '#test/support/schema/generated-rows.ts';
import { DEPLOYMENTS_PER_PERSON, type TestDeployment, World } from '#test/support/world/world.ts';

/** Every declared limit, when many requests compete for the last places (CON-04, LIM-04). */

const REQUESTS = 40;
const PLACES = 3;

/**
 * Limits that one request alone reaches, and the limits of streams, which one process counts without waiting. Of
 * policy bundles, only one of several requests wins; a tracker and a channel need a server that answers; comments of
 * one finding and views of one person are raced in the tests of their rooms.
 */
const WITHOUT_RACE = [
  'POLICY_QUOTA',
  'TICKETING_QUOTA',
  'SLACK_CHANNEL_QUOTA',
  'SCM_QUOTA',
  'COMMENT_QUOTA',
  'VIEW_QUOTA',
  'TOO_MANY_PROJECTS',
  'TOO_MANY_FINDINGS',
  'TOO_MANY_EXISTING',
  'TOO_MANY_STREAMS',
  'STREAMS_FULL',
];

/** The destination, or the automation, that was copied before its webhook or rule. */
const copied = (table: string, column: string) =>
  `(select made.id from ${table} as made where made.deployment_id = $1 and made.${column} = 'copy-' || n)`;
const LIMIT_CODE = /_QUOTA$|^TOO_MANY_|_FULL$|^LAST_/;

interface Limit {
  codes: readonly string[];
  operations: readonly string[];
  most: number;
  /** SQL of the number that is limited; $1 is the deployment, $2 the account that calls. */
  count: string;
  /** Tables whose row is copied until only a few places are left, with SQL of the columns that must differ. */
  fill: readonly { table: string; of?: string; with?: Record<string, string> }[];
}

const counted = (table: string, condition = 'true', of = 'deployment_id = $1') =>
  `select count(*)::integer as count from ${table}
   where ${of} and ${condition} and ($1::bigint is not null and $2::bigint is not null)`;
const tokenCount = counted('api_token', 'created_by = $2 and revoked_at is null');

/** One limit for several codes or operations shares its places between them. */
const LIMITS: Record<string, Limit> = {
  teams: {
    codes: ['TEAM_QUOTA'],
    operations: ['TeamsService_CreateDeploymentTeam'],
    most: MAX_TEAMS,
    count: counted('team'),
    fill: [
      {
        table: 'team',
        with: { name_key: "'copy ' || n", slug: "'copy-' || n", is_project_default: 'false', is_user_default: 'false' },
      },
    ],
  },
  ruleboards: {
    codes: ['RULEBOARD_QUOTA'],
    operations: ['RuleboardService_CreateRuleboard'],
    most: MAX_RULEBOARDS,
    count: counted('ruleboard'),
    fill: [{ table: 'ruleboard', with: { name_key: "'copy ' || n", slug: "'copy-' || n", is_default: 'false' } }],
  },
  automations: {
    codes: ['AUTOMATION_QUOTA'],
    operations: ['AutomationsService_CreateAutomation', 'AutomationsService_RestoreAutomation'],
    most: MAX_AUTOMATIONS,
    count: counted('automation', 'deleted_at is null'),
    fill: [{ table: 'automation', with: { deleted_at: 'null', slug: "'copy-' || n" } }],
  },
  invitations: {
    codes: ['INVITATION_QUOTA'],
    operations: ['ChecklistService_InviteMembers', 'DeploymentService_AddDeploymentUser'],
    most: MAX_PENDING_INVITATIONS,
    count: counted('invitation'),
    fill: [{ table: 'invitation', with: { email_key: "'copy ' || n", hash: "'copy ' || n" } }],
  },
  'API tokens': {
    codes: ['TOKEN_QUOTA'],
    operations: ['TokenService_CreateToken', 'TokenService_RotateToken', 'CliLoginService_CollectToken'],
    most: MAX_TOKENS,
    count: tokenCount,
    fill: [{ table: 'api_token', of: 'created_by = $2', with: { hash: "'copy ' || n" } }],
  },
  'approved CLI logins with tokens': {
    codes: ['TOKEN_QUOTA'],
    operations: ['CliLoginService_ConfirmLogin'],
    most: MAX_TOKENS,
    count: `select (${tokenCount}) + (${counted('cli_login', 'account_id = $2')}) as count`,
    fill: [{ table: 'cli_login', with: { hash: "'copy ' || n" } }],
  },
  'deployments of a creator': {
    codes: ['DEPLOYMENT_QUOTA', 'DEMO_QUOTA'],
    operations: ['DeploymentService_CreateDeployment', 'DemoService_CreateDemo'],
    most: DEPLOYMENTS_PER_PERSON,
    count: counted('deployment', 'true', 'created_by = $2'),
    fill: [{ table: 'deployment', of: 'id = $1', with: { slug: "'copy-' || n", created_by: '$2::bigint' } }],
  },
  tasks: {
    codes: ['TOO_MANY_TASKS'],
    operations: [
      'IssuesService_ExportIssues',
      'IssuesService_StartBulkUpdate',
      'ProjectsService_RefreshProjectsAsync',
      'ScmService_SyncScmConfig',
      'SupplyChain2Service_GenerateSbomAsync',
      'SupplyChainService_CreateSbomExport',
    ],
    most: MAX_RUNNING_TASKS,
    count: counted('task', "status = 'in_progress'"),
    fill: [{ table: 'task' }],
  },
  scmApps: {
    codes: ['SCM_APP_QUOTA'],
    operations: ['ScmAppsService_CreateScmAppRequest'],
    most: MAX_SCM_APPS,
    count: counted('scm_app'),
    fill: [{ table: 'scm_app', with: { request_id: "'copy-' || n" } }],
  },
  rules: {
    codes: ['RULE_QUOTA'],
    operations: ['RegistryService_PublishRule', 'EditorService_SaveRule'],
    most: MAX_PUBLISHED_RULES,
    count: counted('published_rule'),
    fill: [
      { table: 'published_rule', with: { path: "'copy.' || n" } },
      {
        table: 'published_rule_version',
        with: { rule_id: "(select id from published_rule where deployment_id = $1 and path = 'copy.' || n)" },
      },
    ],
  },
  'package managers': {
    codes: ['PACKAGE_MANAGER_QUOTA'],
    operations: ['SmsPackageManagerConfigService_PostPackageManagerAuthCredentials'],
    most: MAX_PACKAGE_MANAGER_CONFIGS,
    count: counted('package_manager_config'),
    fill: [{ table: 'package_manager_config' }],
  },
  'partner credentials': {
    codes: ['PARTNER_CREDENTIAL_QUOTA'],
    operations: ['PartnerCredentialService_CreatePartnerCredential'],
    most: MAX_PARTNER_CREDENTIALS,
    count: counted('partner_credential'),
    fill: [{ table: 'partner_credential' }],
  },
  webhooks: {
    codes: ['WEBHOOK_QUOTA'],
    operations: ['NotificationWebhooksService_CreateNotificationWebhook'],
    most: MAX_NOTIFICATION_WEBHOOKS,
    count: counted('notification_webhook'),
    fill: [
      { table: 'destination', with: { key: "'copy-' || n" } },
      { table: 'notification_webhook', with: { destination_id: copied('destination', 'key') } },
    ],
  },
  'notification rules': {
    codes: ['NOTIFICATION_RULE_QUOTA'],
    operations: ['NotificationRulesService_CreateNotificationRule'],
    most: MAX_NOTIFICATION_RULES,
    count: counted('notification_rule'),
    fill: [
      { table: 'automation', with: { slug: "'copy-' || n" } },
      { table: 'notification_rule', with: { automation_id: copied('automation', 'slug') } },
    ],
  },
  'storage credentials': {
    codes: ['STORAGE_QUOTA'],
    operations: ['StorageCredentialsService_CreateStorageCredential'],
    most: MAX_STORAGE_CREDENTIALS,
    count: counted('storage_credential'),
    fill: [{ table: 'storage_credential', with: { slug: "'copy-' || n" } }],
  },
  'trusted CI issuers': {
    codes: ['CI_TRUST_QUOTA'],
    operations: ['KeylessCiService_CreateCiTrust'],
    most: MAX_CI_TRUSTS,
    count: counted('ci_trust'),
    fill: [{ table: 'ci_trust' }],
  },
  'provisioned people': {
    codes: ['SCIM_USER_QUOTA'],
    operations: ['ScimService_CreateScimUser'],
    most: MAX_SCIM_USERS,
    count: counted('scim_user'),
    fill: [
      {
        table: 'scim_user',
        with: { user_name_key: "'copy ' || n", email_key: "'copy ' || n", account_id: 'null' },
      },
    ],
  },
  'provisioned groups': {
    codes: ['SCIM_GROUP_QUOTA'],
    operations: ['ScimService_CreateScimGroup'],
    most: MAX_SCIM_GROUPS,
    count: counted('scim_group'),
    fill: [
      {
        table: 'team',
        with: { name_key: "'copy ' || n", slug: "'copy-' || n", is_project_default: 'false', is_user_default: 'false' },
      },
      { table: 'scim_group', with: { team_id: copied('team', 'slug') } },
    ],
  },
  'SSO providers': {
    codes: ['SSO_PROVIDER_QUOTA'],
    operations: ['DeploymentSsoProvidersService_CreateDeploymentSsoProvider'],
    most: MAX_SSO_PROVIDERS,
    count: counted('sso_provider'),
    fill: [{ table: 'sso_provider', with: { name_key: "'copy ' || n" } }],
  },
  'SSO domains': {
    codes: ['SSO_DOMAIN_QUOTA'],
    operations: ['SsoSettingsService_AddSsoDomain'],
    most: MAX_SSO_DOMAINS,
    count: counted('deployment_domain'),
    fill: [{ table: 'deployment_domain', with: { domain: "'copy' || n || '.example'" } }],
  },
  'support cases': {
    codes: ['SUPPORT_CASE_QUOTA'],
    operations: ['SupportService_CreateSupportCase'],
    most: MAX_CASES_PER_DAY,
    count: counted('support_case'),
    fill: [{ table: 'support_case' }],
  },
  'survey responses': {
    codes: ['SURVEY_QUOTA'],
    operations: ['SurveysService_CreateSurveyResponse'],
    most: MAX_SURVEY_RESPONSES,
    count: counted('survey_response', 'true', 'account_id = $2'),
    fill: [{ table: 'survey_response', of: 'account_id = $2', with: { survey_name: "'copy ' || n" } }],
  },
};

/** Limits of one object, tested in `limits-of-objects.test.ts`. */
const LIMITS_OF_OBJECTS = ['TAG_QUOTA', 'IGNORES_FULL', 'POLICY_FULL', 'RULEBOARD_FULL', 'LAST_ADMINISTRATOR'];

let world: World;
let owner: pg.Client;
before(async () => {
  world = await World.start();
  owner = new pg.Client(world.database.connection);
  await owner.connect();
});
after(async () => {
  await owner.end();
  await world.stop();
});

function operationOf(id: string): ListedOperation {
  const found = operations.find((operation) => operation.id === id);
  assert.ok(found, id);
  return found;
}

async function countOf(place: TestDeployment, { count }: Pick<Limit, 'count'>): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(count, [place.id, place.admin.id]);
  return rows[0]?.count ?? 0;
}

async function fill(place: TestDeployment, limit: Limit): Promise<void> {
  const copies = limit.most - PLACES - (await countOf(place, limit));
  for (const { table, of = 'deployment_id = $1', with: differing = {} } of limit.fill) {
    const columns = (await columnsOf(owner, table)).map(({ name }) => name).filter((name) => name !== 'id');
    const values = columns.map((name) => differing[name] ?? `original.${name}`);
    await owner.query(
      `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')}
       from (select * from ${table} where ${of} limit 1) as original, generate_series(1, $3::integer) as n
       where $1::bigint is not null and $2::bigint is not null`,
      [place.id, place.admin.id, copies],
    );
  }
  assert.equal(await countOf(place, limit), limit.most - PLACES);
}

test('every declared limit has a race in these tests', () => {
  const isRaced = (code: string) => LIMIT_CODE.test(code) && ![...WITHOUT_RACE, ...LIMITS_OF_OBJECTS].includes(code);
  const declared = operations.filter(({ bound }) => bound.operation.faults.some(({ code }) => isRaced(code)));
  const raced = Object.values(LIMITS).flatMap((limit) => limit.operations);
  assert.deepEqual(declared.map(({ id }) => id).sort(), raced.sort());
});

describe(`${REQUESTS} requests at once for the last ${PLACES} places leave exactly the limit`, () => {
  for (const [name, limit] of Object.entries(LIMITS))
    test(name, async () => {
      const place = await world.deployment();
      const listed = limit.operations.map(operationOf);
      const send = async ({ bound }: ListedOperation, call: CheckedCall) => {
        // A busy machine may answer 503 to some of many requests; they are sent again, as a client would.
        for (;;) {
          const reply = await callChecked(world.baseUrl, bound, { ...call, token: place.admin.jwt });
          if (reply.status !== 503) return reply;
        }
      };
      const calls = [];
      for (let number = 0; number <= REQUESTS; number++) {
        const operation = listed[number % listed.length] as ListedOperation;
        calls.push({ operation, call: await makeExampleCall({ world, place }, operation) });
      }
      const [first, ...racing] = calls as [(typeof calls)[number], ...typeof calls];
      assert.equal((await send(first.operation, first.call)).status, first.operation.bound.operation.status);
      await fill(place, limit);
      const replies = await Promise.all(racing.map(({ operation, call }) => send(operation, call)));
      const refused = replies.filter(({ status }) => status >= 400).map(statusAndCode);
      assert.equal(await countOf(place, limit), limit.most);
      assert.ok(refused.length > 0);
      const expected = limit.codes.map((code) => `409 ${code}`);
      assert.deepEqual(
        refused.filter((outcome) => !expected.includes(outcome)),
        [],
      );
    });
});
