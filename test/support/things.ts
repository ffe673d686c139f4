import { randomBytes } from 'node:crypto';
import { openSetUp } from '#domain/founding/setup.ts';
import * as sessions from '#domain/people/sessions.ts';
import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import type { Id } from '#kernel/contract/proto.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { type ExampleCall, exampleOf } from '#kernel/http/openapi.ts';
import * as issues from '#services/public-issues/contract.ts';
import { refreshCookie } from '#services/sessions/cookie.ts';
import type { Listed } from './operations.ts';
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
  Email: { make: async ({ place }) => place.admin.email },
  Password: { make: async () => PASSWORD },
  Fresh: { make: async () => fresh('fresh') },
  Project: { make: ({ world, place }) => world.project(place), isTeamScoped: true },
  User: { make: async ({ world, place }) => (await world.member(place)).id },
  Token: { make: async ({ world, place }) => (await world.token(place, { role: 'TOKEN_ROLE_READ_ONLY' })).id },
  Team: { make: makeTeam, isTeamScoped: true },
  Issue: { make: makeIssue },
  SetupToken: { make: makeSetupToken },
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

/** Opens the set-up, which works only while the world has no people. */
async function makeSetupToken({ world }: Scene): Promise<string> {
  const text = randomBytes(24).toString('base64url');
  await world.assembly.db.transaction({ role: 'door', isRead: false }, (tx) =>
    openSetUp(tx, world.keys, { token: new Secret(text), now: new Date() }),
  );
  return text;
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
  TokenService_ListTokens: (scene) => three(() => make(scene, 'Token')),
};

const three = <Item>(one: () => Promise<Item>): Promise<Item[]> => Promise.all([one(), one(), one()]);

export async function fill(scene: Scene, { id }: Listed, example: ExampleCall): Promise<void> {
  const filling = FILLINGS[id];
  if (!filling) throw new Error(`Nobody fills the list of ${id}: add it to FILLINGS in test/support/things.ts.`);
  await filling(scene, example);
}
