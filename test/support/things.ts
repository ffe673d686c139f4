import { randomUUID } from 'node:crypto';
import * as sessions from '#domain/people/sessions.ts';
import * as tasks from '#domain/tasks/store.ts';
import { ticketOf } from '#domain/tasks/ticket.ts';
import { issueTaskToken } from '#domain/tasks/token.ts';
import { type ExampleCall, exampleOf } from '#kernel/http/openapi.ts';
import { refreshCookie } from '#services/sessions/cookie.ts';
import { askFor } from './inbox.ts';
import type { Listed } from './operations.ts';
import type { Scene } from './scene.ts';
import { makeBoard, makeUnmigrated } from './things/boards.ts';
import { makeFinding, makeFindingBatch, makeIssue } from './things/findings.ts';
import {
  makeInvitationToken,
  makeLoginKey,
  makeNotification,
  makeRoomForDeployment,
  makeSetupToken,
} from './things/people.ts';
import { makeProject, makeProjectName, makeTag, makeTeam } from './things/projects.ts';
import { makeBranch, makeRunningScan, makeScan, makeTrackedScan } from './things/scans.ts';
import {
  makeAutomation,
  makeDeletedAutomation,
  makePartnerCredential,
  makeProductWithoutContent,
  makeReviewCommentContent,
  makeSsoProvider,
} from './things/settings.ts';
import { fresh, PASSWORD, World } from './world.ts';

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

/** The deployment itself, as if it were made up. */
async function makeDemo({ world, place }: Scene): Promise<string> {
  await world.look(
    `insert into demo (deployment_id, size, seed, as_of) values ($1, 'small', 'test', now()) on conflict do nothing`,
    [place.id],
  );
  return place.id;
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
