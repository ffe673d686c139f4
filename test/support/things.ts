import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as automations from '#domain/automations/store.ts';
import * as comments from '#domain/comments/store.ts';
import { triage } from '#domain/findings/triage.ts';
import { openSetUp } from '#domain/founding/setup.ts';
import * as invitations from '#domain/invitations/store.ts';
import { notify } from '#domain/notifications/store.ts';
import * as sessions from '#domain/people/sessions.ts';
import * as boards from '#domain/policies/boards.ts';
import * as items from '#domain/policies/items.ts';
import { keyOf } from '#domain/policies/rules.ts';
import * as projects from '#domain/projects/store.ts';
import * as scans from '#domain/scans/store.ts';
import * as tasks from '#domain/tasks/store.ts';
import { ticketOf } from '#domain/tasks/ticket.ts';
import { issueTaskToken } from '#domain/tasks/token.ts';
import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import { nobody } from '#kernel/auth/caller.ts';
import type { Id } from '#kernel/contract/proto.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import { type ExampleCall, exampleOf } from '#kernel/http/openapi.ts';
import * as cliLogin from '#services/cli-login/store.ts';
import { wantedOf } from '#services/deployment-sso-providers/rules.ts';
import * as sso from '#services/deployment-sso-providers/store.ts';
import * as partner from '#services/partner-credential/store.ts';
import * as issues from '#services/public-issues/contract.ts';
import { refreshCookie } from '#services/sessions/cookie.ts';
import * as teamRoom from '#services/teams/contract.ts';
import { plantDependencies } from './dependencies.ts';
import { askFor, makeNews } from './inbox.ts';
import type { Listed } from './operations.ts';
import { hit, Scanning } from './scanning.ts';
import { fresh, PASSWORD, type Person, type Place, World } from './world.ts';

/** Where things are made, and for whom they shall be visible beside the administrator. */
export interface Scene {
  world: World;
  place: Place;
  viewers?: readonly Person[];
}

interface Kind {
  make(scene: Scene): Promise<string>;
  /** Seen only by people whose team it belongs to. */
  isTeamScoped?: boolean;
}

/** How each noun of the examples is made; a room with a new noun adds it here. */
const KINDS: Record<string, Kind> = {
  Deployment: { make: async ({ place }) => place.id },
  UnmigratedDeployment: { make: makeUnmigrated },
  DemoDeployment: { make: makeDemo },
  Email: { make: async ({ place }) => place.admin.email },
  Password: { make: async () => PASSWORD },
  Fresh: { make: async () => fresh('fresh') },
  Project: { make: makeProject, isTeamScoped: true },
  ProjectName: { make: makeProjectName, isTeamScoped: true },
  Branch: { make: makeBranch, isTeamScoped: true },
  Scan: { make: async (scene) => makeScan(scene, await makeProject(scene)), isTeamScoped: true },
  RunningScan: { make: makeRunningScan, isTeamScoped: true },
  TrackedScan: { make: makeTrackedScan, isTeamScoped: true },
  User: { make: async ({ world, place }) => (await world.member(place)).id },
  Token: { make: async ({ world, place }) => (await world.token(place, { role: 'TOKEN_ROLE_READ_ONLY' })).id },
  Team: { make: makeTeam, isTeamScoped: true },
  Automation: { make: makeAutomation },
  DeletedAutomation: { make: makeDeletedAutomation },
  Issue: { make: makeIssue },
  Finding: { make: makeFinding, isTeamScoped: true },
  FindingBatch: { make: makeFindingBatch, isTeamScoped: true },
  ExceptionRequest: { make: async (scene) => askFor(scene, await makeFinding(scene)), isTeamScoped: true },
  SetupToken: { make: makeSetupToken },
  InvitationToken: { make: makeInvitationToken },
  NewEmail: { make: async () => `${fresh('newcomer')}@example.com` },
  NewLoginKey: { make: async () => randomUUID() },
  LoginKey: { make: makeLoginKey },
  Notification: { make: makeNotification },
  Survey: { make: async () => fresh('survey') },
  Tag: { make: makeTag },
  DeploymentName: { make: makeRoomForDeployment },
  Ruleboard: { make: async (scene) => (await makeBoard(scene)).slug },
  Policy: { make: async (scene) => (await makeBoard(scene)).id },
  PartnerCredential: { make: makePartnerCredential },
  SsoProvider: { make: makeSsoProvider },
  ProductWithoutContent: { make: makeProductWithoutContent },
  ReviewCommentContent: { make: makeReviewCommentContent },
  TaskToken: { make: async (scene) => (await makeTask(scene)).token },
  TaskTicket: { make: async (scene) => (await makeTask(scene)).ticket },
};

function kindOf(noun: string): Kind {
  const kind = KINDS[noun];
  if (!kind) throw new Error(`Nobody knows how to make a ${noun}: add it to test/support/things.ts.`);
  return kind;
}

export const make = (scene: Scene, noun: string): Promise<string> => kindOf(noun).make(scene);
export const isTeamScoped = (noun: string): boolean => kindOf(noun).isTeamScoped ?? false;

function makeTeam({ world, place, viewers = [] }: Scene): Promise<string> {
  return world.in(place, async (tx) => {
    const team = (await teams.insert(tx, { deployment: place.id, name: fresh('Team '), parent: undefined })) ?? '';
    const seats = viewers.map(({ id }) => ({ account: id, role: 'TEAM_ROLE_MEMBER' }));
    await members.seat(tx, { deployment: place.id, team }, seats);
    return team;
  });
}

/** A project that was scanned, in a team of the viewers where there are any. */
async function makeProject(scene: Scene, name = fresh('acme/repo')): Promise<string> {
  const { world, place, viewers = [] } = scene;
  const project = await world.project(place, name);
  await world.look('update project set latest_scan_at = now() where id = $1', [project]);
  if (viewers.length === 0) return project;
  const team = await makeTeam(scene);
  await world.in(place, (tx) => members.assign(tx, { deployment: place.id, team }, [project]));
  return project;
}

async function makeDeletedAutomation({ world, place }: Scene): Promise<string> {
  const id = await makeAutomation({ world, place });
  return world.in(place, (tx) => automations.remove(tx, place.id, id)).then(() => id);
}

/** A product may have one content: what another test left is taken away. */
async function makeProductWithoutContent({ world, place }: Scene): Promise<string> {
  await world.look('delete from review_comment_content where deployment_id = $1', [place.id]);
  return 'PRODUCT_SAST';
}

async function makeReviewCommentContent(scene: Scene): Promise<string> {
  const { world, place } = scene;
  const product = await makeProductWithoutContent(scene);
  const wanted = { product, contentType: 'REVIEW_COMMENT_CONTENT_TYPE_ADDENDUM', content: fresh('Ask us ') };
  return (await world.in(place, (tx) => comments.insert(tx, place.id, wanted)))?.id ?? '';
}

async function makeProjectName(scene: Scene): Promise<string> {
  const name = fresh('acme/Repo');
  await makeProject(scene, name);
  return name;
}

/** A branch of the project that was made last, as an example names both; of a new one where there is none. */
async function makeBranch(scene: Scene): Promise<string> {
  const { world, place } = scene;
  const statement = 'select max(id) as id from project where deployment_id = $1';
  const [row] = await world.look<{ id: string | null }>(statement, [place.id]);
  const project = { deployment: place.id, id: row?.id ?? (await makeProject(scene)) };
  return world.in(place, (tx) => scans.seeRef(tx, project, { name: fresh('branch-'), kind: 'branch' }));
}

/** A full scan of a project that is over. */
const EMPTY_REPORT = JSON.stringify({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'checker' } }, results: [] }],
});

async function makeRunningScan(scene: Scene): Promise<string> {
  const scan = await makeScan(scene, await makeProject(scene));
  await scene.world.look(`update scan set status = 'running' where deployment_id = $1 and id = $2`, [
    scene.place.id,
    scan,
  ]);
  return scan;
}

/** A scan with its report, which is the last word of its analysis. */
async function makeTrackedScan(scene: Scene): Promise<string> {
  const { world, place } = scene;
  const scan = await makeScan(scene, await makeProject(scene));
  await world.look(
    `insert into analysis (deployment_id, project_id, branch_id, key, last_scan_id)
     select deployment_id, project_id, branch_id, 'checker', id from scan where deployment_id = $1 and id = $2`,
    [place.id, scan],
  );
  await world.look(`insert into scan_report (deployment_id, scan_id, piece, bytes) values ($1, $2, 0, $3)`, [
    place.id,
    scan,
    gzipSync(EMPTY_REPORT),
  ]);
  return scan;
}

export function makeScan({ world, place }: Scene, project: string): Promise<string> {
  return world.in(place, async (tx) => {
    const branch = await scans.seeRef(tx, { deployment: place.id, id: project }, { name: 'main', kind: 'branch' });
    const id = await scans.start(tx, {
      deployment: place.id,
      project,
      branch,
      source: 'cli',
      format: 'semgrep',
      tool: 'semgrep',
      analysisKey: 'semgrep',
      mode: 'full',
      products: ['sast', 'sca'],
      commit: 'c0ffee',
      environment: 'github-actions',
      scannerVersion: '1.99.0',
      meta: { on: 'push', branch: 'refs/heads/main' },
      startedBy: 'a test',
      at: new Date(),
    });
    await tx.run`
      update scan set status = 'completed', exit_code = 0, completed_at = started_at + interval '12.5 seconds'
      where deployment_id = ${place.id} and id = ${id}`;
    return id;
  });
}

async function makeAutomation({ world, place }: Scene): Promise<string> {
  const condition = { type: 'CONDITION_TYPE_SEVERITY', mode: 'MODE_ANY', values: ['critical'] } as const;
  const made = await world.in(place, (tx) =>
    automations.insert(tx, place.id, {
      name: fresh('Automation '),
      description: '',
      active: true,
      triggerSource: 'TRIGGER_SOURCE_SCAN',
      filters: { mode: 'MODE_ALL', conditions: [{ ...condition, values: [...condition.values] }] },
      actions: [{ type: 'ACTION_TYPE_PR_COMMENT', config: {}, id: '1' }],
      lastActionId: 1,
      by: 'somebody',
    }),
  );
  return made.id;
}

/** Undoes what another test may have done, past the roles for which there is no way back. */
async function makeUnmigrated({ world, place }: Scene): Promise<string> {
  await world.look('delete from policy_migration where deployment_id = $1', [place.id]);
  return place.id;
}

/** The deployment itself, as if it were made up. */
async function makeDemo({ world, place }: Scene): Promise<string> {
  await world.look(
    `insert into demo (deployment_id, size, seed, as_of) values ($1, 'small', 'test', now()) on conflict do nothing`,
    [place.id],
  );
  return place.id;
}

/** A new board of a deployment that is not migrated. */
async function makeBoard(scene: Scene): Promise<boards.Board> {
  const { world, place } = scene;
  await makeUnmigrated(scene);
  const wish = { deployment: place.id, product: 'sast', name: fresh('Board ') } as const;
  const board = await world.in(place, (tx) => boards.insert(tx, wish));
  if (!board) throw new Error('The board was not made.');
  return board;
}

/** Puts three rules on a board, signed by the administrator. */
async function makeRules({ world, place }: Scene, board: string): Promise<void> {
  const steps = ['a.rule', 'b.rule', 'c/rule'].map((path, index) => {
    const step = { kind: 'rule', path, mode: 'monitor', mustExist: false, index } as const;
    return [keyOf(step), step] as const;
  });
  const caller = { ...nobody, kind: 'user', deployment: place.id, email: place.admin.email } as const;
  await world.in(place, (tx) => items.carryOut(tx, caller, board, { steps: new Map(steps) }));
}

function makePartnerCredential({ world, place }: Scene): Promise<string> {
  return world.in(place, (tx) =>
    partner.insert(tx, world.keys, {
      deployment: place.id,
      recipient: {
        clientId: 'parapet',
        apiUrl: 'https://api.vendor.example/graphql',
        tokenUrl: 'https://auth.vendor.example/oauth/token',
      },
      secret: new Secret('made for a test'),
    }),
  );
}

function makeSsoProvider({ world, place }: Scene): Promise<string> {
  return world.in(place, async (tx) => {
    const wanted = wantedOf({
      name: fresh('provider '),
      type: 'SSO_TYPE_OPENID',
      openidData: { clientId: 'parapet', wellKnownUrl: 'https://id.acme.example/.well-known/openid-configuration' },
    });
    return (await sso.insert(tx, place.id, { wanted, isEnabled: true })) ?? '';
  });
}

/** A task that the administrator started and that is done. */
async function makeTask({ world, place }: Scene): Promise<{ token: string; ticket: string }> {
  const reader = `account:${place.admin.id}`;
  const task = await world.in(place, async (tx) => {
    const made = await tasks.insert(tx, { deployment: place.id, kind: 'test.make', madeBy: reader });
    await tasks.addPiece(tx, { deployment: place.id, task: made }, { number: 0, bytes: Buffer.from('{}') });
    const file = { name: 'test.json', contentType: 'application/json; charset=utf-8' };
    await tasks.complete(tx, { deployment: place.id, task: made }, file);
    return made;
  });
  const now = new Date();
  return {
    token: await issueTaskToken(world.keys, { deployment: place.id, task, reader }, now),
    ticket: ticketOf(world.keys, { deployment: place.id, task }, now),
  };
}

/** Operations that answer only the one who started what they ask about: in tests the administrator. */
export const ONLY_FOR_ITS_MAKER: ReadonlySet<string> = new Set([
  'TasksService_GetTaskResult',
  'SupplyChainService_GetSbomExport',
]);

/** An issue of no project, so that every member sees it. */
async function makeIssue({ world, place }: Scene): Promise<string> {
  const { body } = await world.as(issues, (await world.signIn(place.admin)).jwt).reportIssues({
    path: { deploymentId: place.id },
    body: {
      workflowId: 'test',
      issues: [{ identity: fresh('identity'), title: fresh('Issue '), severity: 'SEVERITY_HIGH' }],
    },
  });
  return body.issues[0]?.id ?? '';
}

async function scanned(scene: Scene, findings: Parameters<Scanning['scan']>[0]): Promise<string> {
  const { world, place } = scene;
  const scanning = await Scanning.start(world, place);
  const team = await makeTeam(scene);
  await world.in(place, (tx) => members.assign(tx, { deployment: place.id, team }, [scanning.project]));
  await scanning.scan(findings);
  const [found] = await scanning.findings();
  return found?.id ?? '';
}

function makeFindingOfRule(scene: Scene, rule: string): Promise<string> {
  const code = fresh('eval(');
  return scanned(scene, [hit({ rule, path: 'src/app.js', line: 7, code, context: `before\n${code}\nafter` })]);
}

function makeFinding(scene: Scene): Promise<string> {
  return makeFindingOfRule(scene, 'detect-eval');
}

function makeSecret(scene: Scene): Promise<string> {
  const secret = { product: 'secrets', secret: { type: 'AWS', value: fresh('AKIA') } } as const;
  return scanned(scene, [hit({ rule: 'aws', path: 'env', line: 1, code: '***', more: secret })]);
}

async function makeFindingBatch(scene: Scene): Promise<string> {
  const { world, place } = scene;
  const finding = await makeFinding(scene);
  const permissions = new Set(['issue:triage', 'product:manage']);
  const caller = { ...nobody, kind: 'user', deployment: place.id, permissions, seesEverything: true } as const;
  const order = { filter: { ids: [finding] }, decision: { state: 'reviewing' } } as const;
  const { batch } = await world.in(place, (tx) => triage(tx, { caller, now: new Date() }, order));
  return batch ?? '';
}

/** Opens the set-up, which works only while the world has no people. */
async function makeSetupToken({ world }: Scene): Promise<string> {
  const text = randomBytes(24).toString('base64url');
  await world.assembly.db.transaction({ role: 'door', isRead: false }, (tx) =>
    openSetUp(tx, world.keys, { token: new Secret(text), now: new Date() }),
  );
  return text;
}

async function makeInvitationToken({ world, place }: Scene): Promise<string> {
  const made = await world.in(place, (tx) =>
    invitations.insertAll(tx, world.keys, {
      deployment: place.id,
      invitedBy: place.admin.id,
      emails: [`${fresh('guest')}@example.com`],
      expiresAt: new Date(Date.now() + 3_600_000),
    }),
  );
  return made.map(({ token }) => reveal(token)).join();
}

/** The key of a command line whose login the administrator has agreed to. */
async function makeLoginKey({ world, place }: Scene): Promise<string> {
  const key = randomUUID();
  const hash = cliLogin.hashOf(world.keys.derive('cli-login'), key);
  const [now, expiresAt] = [new Date(), new Date(Date.now() + 60_000)];
  await world.in(place, (tx) =>
    cliLogin.agree(tx, { deployment: place.id, hash, account: place.admin.id, now, expiresAt }),
  );
  return key;
}

function makeNotification({ world, place }: Scene): Promise<string> {
  return world.in(place, (tx) =>
    notify(tx, { deployment: place.id, severity: 'SEVERITY_INFO', title: fresh('News '), description: 'Look.' }),
  );
}

async function makeTag({ world, place }: Scene): Promise<string> {
  const tag = fresh('tag:');
  const project = { deployment: place.id, id: await world.project(place) };
  await world.in(place, (tx) => projects.tag(tx, project, [tag]));
  return tag;
}

/** The name of a deployment that nobody has founded yet; what was founded before no longer counts for the quota. */
async function makeRoomForDeployment({ world }: Scene): Promise<string> {
  await world.look('update deployment set created_by = null');
  return fresh('Acme ');
}

/** The example of an operation with ids of things that are there, made for this call. */
export async function exampleIn(scene: Scene, { room, bound }: Listed): Promise<ExampleCall> {
  const nouns: string[] = [];
  exampleOf(room, bound, (noun) => {
    nouns.push(noun);
    return '1';
  });
  const made: string[] = [];
  for (const noun of nouns) made.push(await make(scene, noun));
  let next = 0;
  return exampleOf(room, bound, () => made[next++] ?? '');
}

export interface Preparation {
  /** A world of its own, where the operation works only once; the caller stops it. */
  world?: World;
  headers?: Record<string, string>;
}

/** What an operation needs beside its example, by the id of the operation. */
const PREPARATIONS: Record<string, (scene: Scene) => Promise<Preparation>> = {
  SessionsService_RefreshSession: async ({ world, place }) => {
    const session = await world.assembly.db.transaction({ role: 'door', isRead: false }, (tx) =>
      sessions.open(tx, { account: place.admin.id, address: '127.0.0.1', userAgent: 'test' }),
    );
    const [cookie = ''] = refreshCookie(sessions.ticketOf(world.keys.derive('refresh'), session)).split(';');
    return { headers: { cookie } };
  },
  SessionsService_SetUp: async () => ({ world: await World.start() }),
};

export const prepare = async (scene: Scene, { id }: Listed): Promise<Preparation> => PREPARATIONS[id]?.(scene) ?? {};

/** Operations after which their own credential is dead, so that nobody can ask for the same answer again. */
export const ENDS_ITS_CREDENTIAL: ReadonlySet<string> = new Set(['SessionsService_DeleteSession']);

/** Puts at least three items into the list that an example asks for, by the id of the operation. */
const FILLINGS: Record<string, (scene: Scene, example: ExampleCall) => Promise<unknown>> = {
  AuditService_ListAuditRecords: async ({ world, place }) => {
    const admin = world.as(teamRoom, (await world.signIn(place.admin)).jwt);
    const path = { deploymentId: place.id as Id<'Deployment'> };
    await three(() => admin.createDeploymentTeam({ path, body: { team: { name: fresh('Team ') } } }));
  },
  FindingsService_ListFindings: (scene) => three(() => make(scene, 'Finding')),
  IssuesService_ListIssues: (scene) => three(() => make(scene, 'Finding')),
  IssuesService_ListIssueGroups: (scene) => three(() => makeFindingOfRule(scene, fresh('rule-'))),
  InboxService_ListReview: (scene) => three(async () => makeNews(scene, await makeFinding(scene))),
  InboxService_ListApprovals: (scene) => three(() => make(scene, 'ExceptionRequest')),
  IssuesService_GroupIssues: (scene) => three(() => makeFindingOfRule(scene, fresh('rule-'))),
  SecretsService_ListSecretsPath: (scene) => three(() => makeSecret(scene)),
  NotificationsService_GetNotifications: (scene) => three(() => make(scene, 'Notification')),
  PublicIssuesService_SearchIssues: (scene) => three(() => make(scene, 'Issue')),
  PublicIssuesService_GetIssueActivityHistory: async ({ world, place }, { path }) => {
    const admin = world.as(issues, (await world.signIn(place.admin)).jwt);
    const issuePath = { deploymentId: place.id, issueId: String(path?.['issueId']) as Id<'Issue'> };
    for (const triageState of ['TRIAGE_STATE_FIXING', 'TRIAGE_STATE_FIXED', 'TRIAGE_STATE_REOPENED'] as const)
      await admin.triageIssue({ path: issuePath, body: { triageState } });
  },
  TeamsService_ListDeploymentTeams: (scene) => three(() => make(scene, 'Team')),
  TeamsService_ListTeamUsers: async ({ world, place }, { path }) => {
    const people = await three(() => world.member(place));
    const seats = people.map(({ id }) => ({ account: id, role: 'TEAM_ROLE_MEMBER' }));
    await world.in(place, (tx) => members.seat(tx, { deployment: place.id, team: String(path?.['teamId']) }, seats));
  },
  TeamsService_ListTeamRepos: async ({ world, place }, { path }) => {
    const projects = await three(() => world.project(place));
    await world.in(place, (tx) =>
      members.assign(tx, { deployment: place.id, team: String(path?.['teamId']) }, projects),
    );
  },
  TeamsService_ListTeamChildTeams: ({ world, place }, { path }) =>
    three(() =>
      world.in(place, (tx) =>
        teams.insert(tx, { deployment: place.id, name: fresh('Child '), parent: String(path?.['teamId']) }),
      ),
    ),
  SupplyChain2Service_ListLockfilesForDependencies: fillLockfiles,
  SupplyChainService_ListLockfilesForDependencies: fillLockfiles,
  AutomationsService_ListAutomationsV2: (scene) => three(() => make(scene, 'Automation')),
  PoliciesService_ListPolicyRules: (scene, { path }) => makeRules(scene, String(path?.['policyId'])),
  PoliciesService_ListPolicyRulesV1: (scene, { path }) => makeRules(scene, String(path?.['policyId'])),
  ProjectsService_ListProjects: (scene) => three(() => make(scene, 'Project')),
  ProjectsService_SearchRepos: (scene) => three(() => make(scene, 'Project')),
  V1ProjectsService_ListProjects: (scene) => three(() => make(scene, 'Project')),
  ScansService_ListScans: (scene, { path }) => three(() => makeScan(scene, String(path?.['projectId']))),
  V1ScansService_SearchScans: (scene) => three(() => make(scene, 'Scan')),
  TokenService_ListTokens: (scene) => three(() => make(scene, 'Token')),
};

/** Three lockfiles of the project that an example names. */
async function fillLockfiles({ world, place }: Scene, { path }: ExampleCall): Promise<void> {
  const rows = ['a/package-lock.json', 'b/package-lock.json', 'c/package-lock.json'].map((file) => ({
    path: file,
    package: 'left-pad',
    version: '1.3.0',
  }));
  await plantDependencies(world, place, { project: String(path?.['repositoryId']), rows });
}

const three = <Item>(one: () => Promise<Item>): Promise<Item[]> => Promise.all([one(), one(), one()]);

export async function fill(scene: Scene, { id }: Listed, example: ExampleCall): Promise<void> {
  const filling = FILLINGS[id];
  if (!filling) throw new Error(`Nobody fills the list of ${id}: add it to FILLINGS in test/support/things.ts.`);
  await filling(scene, example);
}
