import { randomUUID } from 'node:crypto';
import * as sessions from '#domain/accounts/sessions.ts';
import { issueDownloadTicket } from '#domain/tasks/download-ticket.ts';
import * as tasks from '#domain/tasks/store.ts';
import { issueTaskToken } from '#domain/tasks/task-token.ts';
import { detectionVersionOf } from '#domain/unified-policies/detection-bundle.ts';
import * as detection from '#domain/unified-policies/detection-store.ts';
import { loadPolicies } from '#domain/unified-policies/remediation-plan.ts';
import { type ExampleCall, exampleOf } from '#kernel/http/openapi/example-calls.ts';
import { refreshCookie } from '#services/sessions/refresh-cookie.ts';
import type { ListedOperation } from '../http/operations.ts';
import type { Scenario } from '../world/scenario.ts';
import { PASSWORD, uniqueName, World } from '../world/world.ts';
import { makeHeldDelivery, notificationRuleOf, webhookOf } from './automations.ts';
import { makeFinding, makeFindingBatch, makeIssue } from './findings.ts';
import { makeComment, makeSavedView, requestException } from './inbox.ts';
import { makeCiJobToken, makeCiTrust } from './keyless-ci.ts';
import { makeUnsubscribeToken } from './mailing.ts';
import {
  makeDeploymentName,
  makeInvitation,
  makeInvitationToken,
  makeLeavableDeployment,
  makeLoginKey,
  makeNotification,
  makeResetToken,
  makeSetupToken,
} from './people.ts';
import { makeProject, makeProjectName, makeTag, makeTeam } from './projects.ts';
import { makeMigratedDeployment, makeRuleboard, makeUnmigratedDeployment } from './ruleboards.ts';
import { makeBranch, makeHoldingScan, makeRunningScan, makeScan, makeTrackedScan } from './scans.ts';
import { makeScimGroup, makeScimUser } from './scim.ts';
import { makeScmApp, makeScmAppRequest, makeScmConfig, makeScmHook, makeScmSubscription } from './scm.ts';
import { clearSecondFactor, makeFirstCode, makeSecondFactorCode } from './second-factor.ts';
import {
  makeAutomation,
  makeDeletedAutomation,
  makePartnerCredential,
  makeProductWithoutContent,
  makeReviewCommentContent,
  makeSsoProvider,
} from './settings.ts';
import { makeSlackChannel, makeSlackDeployment } from './slack.ts';
import { makeSignInWay, makeSsoDomain, makeStartableSsoProvider } from './sso.ts';
import { makeStorageCredential } from './storage.ts';
import {
  EXAMPLE_TICKET_URL,
  makeExternalTicket,
  makeTicketingInstance,
  TRACKER_PROJECT,
  ticketingInstanceOf,
} from './ticketing.ts';

interface Kind {
  make(scene: Scenario): Promise<string>;
  /** Visible only to people whose team it belongs to. */
  isTeamScoped?: boolean;
}

/** How each noun of the examples is created. A room with a new noun adds it here. */
const KINDS: Record<string, Kind> = {
  Deployment: { make: async ({ place }) => place.id },
  UnmigratedDeployment: { make: makeUnmigratedDeployment },
  MigratedDeployment: { make: makeMigratedDeployment },
  DemoDeployment: { make: makeDemo },
  Email: { make: async (scene) => clearSecondFactor(scene).then(() => scene.place.admin.email) },
  Password: { make: async () => PASSWORD },
  PasswordAlone: { make: clearSecondFactor },
  FirstCode: { make: makeFirstCode },
  SecondFactorCode: { make: makeSecondFactorCode },
  Fresh: { make: async () => uniqueName('fresh') },
  Project: { make: makeProject, isTeamScoped: true },
  ProjectName: { make: makeProjectName, isTeamScoped: true },
  Branch: { make: makeBranch, isTeamScoped: true },
  Scan: { make: async (scene) => makeScan(scene, await makeProject(scene)), isTeamScoped: true },
  RunningScan: { make: makeRunningScan, isTeamScoped: true },
  HoldingScan: { make: makeHoldingScan, isTeamScoped: true },
  TrackedScan: { make: makeTrackedScan, isTeamScoped: true },
  User: { make: async ({ world, place }) => (await world.member(place)).id },
  Token: { make: async ({ world, place }) => (await world.token(place, { role: 'TOKEN_ROLE_READ_ONLY' })).id },
  Team: { make: makeTeam, isTeamScoped: true },
  Automation: { make: makeAutomation },
  DeletedAutomation: { make: makeDeletedAutomation },
  Issue: { make: makeIssue },
  Finding: { make: makeFinding, isTeamScoped: true },
  FindingBatch: { make: makeFindingBatch, isTeamScoped: true },
  ExceptionRequest: { make: async (scene) => requestException(scene, await makeFinding(scene)), isTeamScoped: true },
  FindingComment: { make: async (scene) => makeComment(scene, await makeFinding(scene)), isTeamScoped: true },
  SavedView: { make: makeSavedView },
  LeavableDeployment: { make: makeLeavableDeployment },
  Invitation: { make: makeInvitation },
  Session: { make: async ({ world, place }) => (await world.signIn(place.admin)).session },
  ResetToken: { make: makeResetToken },
  SetupToken: { make: makeSetupToken },
  InvitationToken: { make: makeInvitationToken },
  NewEmail: { make: async () => `${uniqueName('newcomer')}@example.com` },
  NewLoginKey: { make: async () => randomUUID() },
  LoginKey: { make: makeLoginKey },
  CiTrust: { make: makeCiTrust },
  CiJobToken: { make: makeCiJobToken },
  Notification: { make: makeNotification },
  Survey: { make: async () => uniqueName('survey') },
  Tag: { make: makeTag, isTeamScoped: true },
  DeploymentName: { make: makeDeploymentName },
  Ruleboard: { make: async (scene) => (await makeRuleboard(scene)).slug },
  Policy: { make: async (scene) => (await makeRuleboard(scene)).id },
  TicketingInstance: { make: ticketingInstanceOf },
  UnusedTicketingInstance: { make: makeTicketingInstance },
  TrackerProject: { make: async (scene) => ticketingInstanceOf(scene).then(() => TRACKER_PROJECT) },
  TicketUrl: { make: async (scene) => ticketingInstanceOf(scene).then(() => EXAMPLE_TICKET_URL) },
  ExternalTicket: { make: makeExternalTicket, isTeamScoped: true },
  NotificationRule: { make: notificationRuleOf },
  Delivery: { make: makeHeldDelivery },
  NotificationWebhook: { make: (scene) => webhookOf(scene, 'https://hooks.example.com/events', 'a secret for tests') },
  PartnerCredential: { make: makePartnerCredential },
  SsoProvider: { make: makeSsoProvider },
  StartableSsoProvider: { make: makeStartableSsoProvider },
  SignInWay: { make: makeSignInWay },
  SsoDomain: { make: makeSsoDomain },
  UnsubscribeToken: { make: makeUnsubscribeToken },
  StorageCredential: { make: makeStorageCredential },
  ScimUser: { make: (scene) => makeScimUser(scene) },
  ScimGroup: { make: makeScimGroup },
  ScimUserName: { make: async () => `${uniqueName('provisioned')}@example.com` },
  ScimGroupName: { make: async () => uniqueName('Provisioned ') },
  ScmConfig: { make: makeScmConfig },
  ScmApp: { make: makeScmApp },
  ScmAppRequest: { make: makeScmAppRequest },
  ScmHook: { make: makeScmHook },
  ScmSubscription: { make: makeScmSubscription },
  SlackDeployment: { make: (scene) => makeSlackDeployment(scene) },
  SlackChannelMapping: { make: (scene) => makeSlackChannel(scene) },
  ProductWithoutContent: { make: makeProductWithoutContent },
  ReviewCommentContent: { make: makeReviewCommentContent },
  TaskToken: { make: async (scene) => (await makeTask(scene)).token },
  TaskTicket: { make: async (scene) => (await makeTask(scene)).ticket },
};

function kindOf(noun: string): Kind {
  const kind = KINDS[noun];
  if (!kind) throw new Error(`There is no factory for ${noun}: add it to test/support/factories/example-objects.ts.`);
  return kind;
}

export const makeObject = (scene: Scenario, noun: string): Promise<string> => kindOf(noun).make(scene);
export const isTeamScoped = (noun: string): boolean => kindOf(noun).isTeamScoped ?? false;

/** The deployment itself, marked as a demo. */
async function makeDemo({ world, place }: Scenario): Promise<string> {
  await world.queryAsOwner(
    `insert into demo (deployment_id, size, seed, as_of) values ($1, 'small', 'test', now()) on conflict do nothing`,
    [place.id],
  );
  return place.id;
}

/** A completed task that the administrator started. */
async function makeTask({ world, place }: Scenario): Promise<{ token: string; ticket: string }> {
  const reader = `account:${place.admin.id}`;
  const task = await world.inDeployment(place, async (tx) => {
    const made = await tasks.insert(tx, { deployment: place.id, kind: 'test.make', createdBy: reader });
    await tasks.insertChunk(tx, { deployment: place.id, task: made }, { number: 0, bytes: Buffer.from('{}') });
    const file = { name: 'test.json', contentType: 'application/json; charset=utf-8' };
    await tasks.complete(tx, { deployment: place.id, task: made }, file);
    return made;
  });
  const now = new Date();
  return {
    token: await issueTaskToken(world.keys, { deployment: place.id, task, principal: reader }, now),
    ticket: issueDownloadTicket(world.keys, { deployment: place.id, task }, now),
  };
}

/** Operations that reply only to the user who started the task: in tests the administrator. */
export const CREATOR_ONLY_OPERATIONS: ReadonlySet<string> = new Set([
  'IssuesService_DeleteIssueComment',
  'IssuesService_UpdateIssueComment',
  'SavedViewsService_DeleteSavedView',
  'SavedViewsService_PinSavedView',
  'SavedViewsService_UpdateSavedView',
  'AccountService_EndSession',
  'SecondFactorService_ConfirmSecondFactor',
  'SecondFactorService_RenewRecoveryCodes',
  'SecondFactorService_RemoveSecondFactor',
  'TasksService_GetTaskResult',
  'SupplyChainService_GetSbomExport',
]);

/** The example of an operation with ids of existing objects, created for this call. */
export async function makeExampleCall(scene: Scenario, { room, bound }: ListedOperation): Promise<ExampleCall> {
  const nouns: string[] = [];
  exampleOf(room, bound, (noun) => {
    nouns.push(noun);
    return '1';
  });
  const made: string[] = [];
  for (const noun of nouns) made.push(await makeObject(scene, noun));
  let next = 0;
  return exampleOf(room, bound, () => made[next++] ?? '');
}

export interface Preparation {
  /** A separate world if the operation works only once. The caller stops it. */
  world?: World;
  headers?: Record<string, string>;
}

/** The version that a bundle of the deployment must replace now. */
async function currentVersion(scene: Scenario, bundle: 'code' | 'remediation'): Promise<string> {
  const deployment = await makeMigratedDeployment(scene);
  return scene.world.inDeployment(scene.place, async (tx) =>
    bundle === 'code'
      ? detectionVersionOf('code', await detection.find(tx, deployment, 'sast'))
      : (await loadPolicies(tx, deployment, false)).stateVersion,
  );
}

/** What an operation needs besides its example, by the id of the operation. */
const PREPARATIONS: Record<string, (scene: Scenario) => Promise<Preparation>> = {
  SessionsService_RefreshSession: async ({ world, place }) => {
    const session = await world.assembly.db.transaction({ role: 'auth', isRead: false }, (tx) =>
      sessions.create(tx, { account: place.admin.id, address: '127.0.0.1', userAgent: 'test' }),
    );
    const [cookie = ''] = refreshCookie(sessions.refreshTokenOf(world.keys.derive('refresh'), session)).split(';');
    return { headers: { cookie } };
  },
  PoliciesV2Service_ApplyDetectionPolicy: async (scene) => ({
    headers: { 'if-match': await currentVersion(scene, 'code') },
  }),
  PoliciesV2Service_ApplyRemediationPolicies: async (scene) => ({
    headers: { 'if-match': await currentVersion(scene, 'remediation') },
  }),
  SessionsService_SetUp: async () => ({ world: await World.start() }),
};

export const prepareOperation = async (scene: Scenario, { id }: ListedOperation): Promise<Preparation> =>
  PREPARATIONS[id]?.(scene) ?? {};

/** Operations that invalidate their own credential, so that the call cannot be repeated. */
export const CREDENTIAL_ENDING_OPERATIONS: ReadonlySet<string> = new Set([
  'SessionsService_DeleteSession',
  'UsersService_LeaveDeployment',
]);
