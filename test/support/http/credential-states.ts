import { randomBytes } from 'node:crypto';
import { ORG_ROLES, orgRoleOfToken, permissionsOf, TOKEN_ROLES } from '#domain/access/roles.ts';
import * as tokens from '#domain/accounts/api-tokens.ts';
import { hashToken } from '#domain/accounts/authenticator.ts';
import * as people from '#domain/accounts/store.ts';
import { isDeploymentScoped, type Operation } from '#kernel/contract/operation.ts';
import { reveal } from '#kernel/crypto/secret.ts';
import { makeTokenText, tokenSuffix } from '#kernel/crypto/token-text.ts';
import { operationIdOf } from '#kernel/http/openapi/describe-operation.ts';
import type { BoundOperation } from '#kernel/http/pipeline/group.ts';
import { CREATOR_ONLY_OPERATIONS, isTeamScoped } from '../factories/example-objects.ts';
import { type TestDeployment, type TestUser, uniqueName, type World } from '../world/world.ts';
import { Forger, type Forgery } from './forged-jwt.ts';
import { objectParamsOf } from './operations.ts';

/** Whom a valid credential identifies, relative to the deployment of the path. */
export interface Principal {
  kind: 'user' | 'token';
  /** Signed in again for each call that must succeed, because some calls end the session. */
  person?: TestUser;
  isMember: boolean;
  role: string;
  /** Sees the objects of the example although they belong to a team. */
  isInTeam: boolean;
  /** The administrator for whom the objects of the example were created. */
  isCreator?: boolean;
  /** Belongs to no deployment. */
  hasNoDeployment?: boolean;
  /** Why a known token is rejected. */
  fault?: 'TOKEN_PERMISSION_MISSING' | 'TOKEN_SCOPE_LIMITED';
}

/** One case: a column of the matrix, or one of several spellings of it. */
export interface CredentialCase {
  state: string;
  what: string;
  headers: Record<string, string | string[]>;
  /** Appended to the target. */
  query?: string;
  body?: Record<string, string>;
  /** The path names an object of the other deployment. */
  isObjectForeign?: boolean;
  /** The expected reply for every operation, or whom the credential identifies. */
  is: string | Principal;
}

export interface MatrixCallers {
  place: TestDeployment;
  other: TestDeployment;
  /** Non-administrators who see the objects of the example. */
  viewers: TestUser[];
  cases: CredentialCase[];
}

const NO_CREDENTIALS = '401 NO_CREDENTIALS';
const REFUSED = '401 INVALID_CREDENTIALS';
const MAX_HEADER_BYTES = 8192;

/** Operations that return the deployment of the credential, and so reject callers without one. */
const NEED_A_DEPLOYMENT: ReadonlySet<string> = new Set(['DeploymentService_GetDeploymentByToken']);

/** Operations whose body names a project or an issue: their reply to callers who do not see it. */
const PROJECT_IN_BODY: Readonly<Record<string, string>> = {
  ExternalTicketingService_CreateExternalTickets: '400 VALIDATION_FAILED',
  ExternalTicketingService_LinkTicket: '400 VALIDATION_FAILED',
  ExternalTicketingService_UnlinkTicket: '400 VALIDATION_FAILED',
  TicketingService_LinkTicket: '400 VALIDATION_FAILED',
  TicketingService_UnlinkTicket: '400 VALIDATION_FAILED',
  InboxService_MarkDone: '400 VALIDATION_FAILED',
  InboxService_MarkUndone: '400 VALIDATION_FAILED',
  SupplyChain2Service_GenerateSbomAsync: '400 SBOM_SUBJECT_UNKNOWN',
  SupplyChainService_CreateSbomExport: '400 SBOM_SUBJECT_UNKNOWN',
};

/** The reply that follows from the declaration of an operation (section 2.1, steps 4 to 9). */
export function expectedOutcomeFor(bound: BoundOperation, { is, isObjectForeign = false }: CredentialCase): string {
  if (typeof is === 'string') return is;
  const { operation } = bound;
  const objects = objectParamsOf(bound);
  if (is.kind === 'token' && operation.credential === 'user') return '403 USER_JWT_REQUIRED';
  const isAccepted = operation.credential === 'any-token' && is.fault === 'TOKEN_PERMISSION_MISSING';
  if (is.fault && !isAccepted) return `403 ${is.fault}`;
  const isOfCredential = operation.deployment.kind === 'credential';
  // Outsiders belong to another deployment, and call for it if the request names none.
  const isHidden = isOfCredential ? is.hasNoDeployment : !is.isMember;
  if (isDeploymentScoped(operation) && isHidden) return '404 NOT_FOUND';
  if (isOfCredential && !is.isMember && objects.length > 0) return '404 NOT_FOUND';
  if (is.hasNoDeployment && NEED_A_DEPLOYMENT.has(operationIdOf(bound))) return '404 NOT_FOUND';
  const isBoundToTeams = is.kind === 'user' && is.role !== 'ORG_ROLE_ADMIN' && !is.isInTeam;
  if (objects.some(([, noun]) => isObjectForeign || (isBoundToTeams && isTeamScoped(noun)))) return '404 NOT_FOUND';
  if (operation.allow.includes(':') && !permissionsOf(is.role).has(operation.allow)) return '403 PERMISSION_DENIED';
  if (!is.isCreator && CREATOR_ONLY_OPERATIONS.has(operationIdOf(bound))) return '404 NOT_FOUND';
  return (isBoundToTeams ? PROJECT_IN_BODY[operationIdOf(bound)] : undefined) ?? String(operation.status);
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const user = (person: TestUser, facts: Partial<Principal> = {}): Principal => ({
  kind: 'user',
  person,
  isMember: true,
  role: 'ORG_ROLE_ADMIN',
  isInTeam: true,
  ...facts,
});
const token = (facts: Partial<Principal> = {}): Principal => ({
  kind: 'token',
  isMember: true,
  role: 'ORG_ROLE_ADMIN',
  isInTeam: true,
  ...facts,
});

/** Creates two deployments and all callers for one operation. */
export async function makeMatrixCallers(world: World, { allow }: Operation, trapUrl: string): Promise<MatrixCallers> {
  const [place, other] = await Promise.all([world.deployment(), world.deployment()]);
  const lesser = ORG_ROLES.find((role) => !permissionsOf(role).has(allow)) ?? 'ORG_ROLE_READONLY';
  const [low, demoted, outsider] = await Promise.all([
    world.memberWithoutTeam(place, lesser),
    world.memberWithoutTeam(place, 'ORG_ROLE_ADMIN'),
    world.memberWithoutTeam(place),
  ]);
  await world.inDeployment(place, (tx) => people.changeRole(tx, { deployment: place.id, account: demoted.id }, lesser));
  const good = (await world.token(place)).text;
  const cases = [
    ...spellings(place, good),
    ...malformedCredentials(place),
    ...(await tokenCases(world, { place, other, allow })),
    ...forgeries(world, place, trapUrl),
    ...(await identities(world, place)),
    ...outsiders(other, (await world.token(other)).text),
    { state: 'C23', what: 'role lowered', headers: bearer(demoted.jwt), is: user(demoted, { role: lesser }) },
    { state: 'C26', what: lesser, headers: bearer(low.jwt), is: user(low, { role: lesser }) },
    {
      state: 'C27',
      what: 'in no team',
      headers: bearer(outsider.jwt),
      is: user(outsider, { role: 'ORG_ROLE_MEMBER', isInTeam: false }),
    },
    await ofBoth(world, place, other),
    {
      state: 'C28',
      what: 'not there, for a lesser role',
      headers: bearer(low.jwt),
      isObjectForeign: true,
      is: user(low, { role: lesser }),
    },
    { state: 'C29', what: 'API token of an administrator', headers: bearer(good), is: token() },
    {
      state: 'C30',
      what: 'JWT of an administrator',
      headers: bearer(place.admin.jwt),
      is: user(place.admin, { isCreator: true }),
    },
  ];
  return { place, other, viewers: [low, demoted], cases: cases.sort((a, b) => (a.state < b.state ? -1 : 1)) };
}

/** C01 to C05: how a credential is sent, even if it is valid. */
function spellings({ admin }: TestDeployment, good: string): CredentialCase[] {
  const row = (state: string, what: string, is: CredentialCase['is']) => ({ state, what, is });
  const basic = Buffer.from(`${admin.email}:${good}`).toString('base64');
  const wrongSchemes = [
    `Basic ${basic}`,
    `Token ${good}`,
    `bearer: ${good}`,
    `Bearer${good}`,
    good,
    `Negotiate ${good}`,
  ];
  const elsewhere = ['x-api-key', 'x-authorization', 'x-auth-token', 'proxy-authorization'];
  return [
    { ...row('C01', 'none', NO_CREDENTIALS), headers: {} },
    ...wrongSchemes.map((authorization) => ({
      ...row('C02', authorization.slice(0, 9), REFUSED),
      headers: { authorization },
    })),
    ...['bearer', 'BEARER', 'bEaReR'].map((scheme) => ({
      ...row('C02', `the scheme written ${scheme}`, user(admin, { isCreator: true })),
      headers: { authorization: `${scheme} ${admin.jwt}` },
    })),
    ...[
      [`Bearer ${good}`, `Bearer ${good}`],
      [`Bearer ${good}`, 'Basic x'],
      ['', `Bearer ${good}`],
    ].map((authorization) => ({ ...row('C03', 'two headers', '400 MALFORMED_REQUEST'), headers: { authorization } })),
    { ...row('C03', 'joined by a comma', '400 MALFORMED_REQUEST'), headers: bearer(`${good}, Bearer ${good}`) },
    { ...row('C04', 'empty', REFUSED), headers: { authorization: 'Bearer ' } },
    { ...row('C04', 'white space inside', REFUSED), headers: bearer(`${good.slice(0, 9)} ${good.slice(9)}`) },
    { ...row('C04', 'over 8 KiB', '431 HEADER_TOO_LARGE'), headers: bearer('x'.repeat(MAX_HEADER_BYTES)) },
    { ...row('C05', 'in the query', NO_CREDENTIALS), headers: {}, query: `access_token=${good}&token=${good}` },
    { ...row('C05', 'in a cookie', NO_CREDENTIALS), headers: { cookie: `access_token=${admin.jwt}; token=${good}` } },
    {
      ...row('C05', 'in the body', NO_CREDENTIALS),
      headers: {},
      body: { access_token: good, authorization: `Bearer ${good}` },
    },
    ...elsewhere.map((name) => ({
      ...row('C05', `in ${name}`, NO_CREDENTIALS),
      headers: { [name]: `Bearer ${good}` },
    })),
  ];
}

/** C06 and C07: text that is not shaped like a credential. */
export function malformedCredentials({ admin }: Pick<TestDeployment, 'admin'>): CredentialCase[] {
  const text = reveal(makeTokenText('api'));
  const changed = (at: number) => text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1);
  const texts = [
    'hunter2',
    randomBytes(30).toString('base64url'),
    'a.b',
    `${admin.jwt}.x`,
    'pap_',
    `xyz_${text.slice(4)}`,
  ];
  return [
    ...texts.map((one) => ({ state: 'C06', what: one.slice(0, 8), headers: bearer(one), is: REFUSED })),
    ...[changed(10), changed(49), text.slice(0, -1), `${text}a`, text.replace('pap_', 'pcl_')].map((one, index) => ({
      state: 'C07',
      what: `spelling ${index + 1}`,
      headers: bearer(one),
      is: REFUSED,
    })),
  ];
}

interface TokenScene {
  place: TestDeployment;
  other: TestDeployment;
  allow: string;
}

/** C08 to C13, and C26 for tokens: what a token may do. */
async function tokenCases(world: World, { place, allow }: TokenScene): Promise<CredentialCase[]> {
  const revoked = await world.token(place);
  await world.inDeployment(place, (tx) => tokens.revoke(tx, place.id, revoked.id));
  const expired = await world.token(place, { expiresAt: new Date(Date.now() - 1000) });
  const silent = await world.token(place, { hasWebApi: false });
  const limited = await world.token(place, { scopes: ['project:read'] });
  const without = TOKEN_ROLES.find((role) => !permissionsOf(orgRoleOfToken(role)).has(allow));
  // If no permission is required, the role with the fewest permissions is enough.
  const lesser = (allow.includes(':') ? without : undefined) ?? 'TOKEN_ROLE_READ_ONLY';
  const low = await world.token(place, { role: lesser });
  const cases: [state: string, what: string, text: string, is: CredentialCase['is']][] = [
    ['C08', 'unknown', reveal(makeTokenText('api')), REFUSED],
    ['C09', 'revoked', revoked.text, REFUSED],
    ['C10', 'expired', expired.text, REFUSED],
    ['C11', 'without Web API', silent.text, token({ fault: 'TOKEN_PERMISSION_MISSING' })],
    ['C12', 'limited', limited.text, token({ fault: 'TOKEN_SCOPE_LIMITED' })],
    [
      'C13',
      'of the CLI',
      await cliToken(world, place),
      token({ role: orgRoleOfToken('TOKEN_ROLE_AGENT_CLI'), fault: 'TOKEN_PERMISSION_MISSING' }),
    ],
    ['C26', lesser, low.text, token({ role: orgRoleOfToken(lesser) })],
  ];
  return cases.map(([state, what, text, is]) => ({ state, what, headers: bearer(text), is }));
}

/** A token as the command line gets it: of its own kind, without Web API permission. */
async function cliToken(world: World, place: TestDeployment): Promise<string> {
  const text = reveal(makeTokenText('cli'));
  await world.inDeployment(place, (tx) =>
    tokens.insert(tx, {
      deployment: place.id,
      name: uniqueName('cli '),
      role: 'TOKEN_ROLE_AGENT_CLI',
      purpose: 'TOKEN_PURPOSE_CLI',
      hasWebApi: false,
      scopes: [],
      hash: hashToken(world.keys.derive('api-token'), text),
      suffix: tokenSuffix(text),
      createdBy: place.admin.id,
      expiresAt: new Date(Date.now() + 3_600_000),
    }),
  );
  return text;
}

/** C14 to C22: forged JWTs. */
function forgeries(world: World, { admin }: TestDeployment, trapUrl: string): CredentialCase[] {
  const forger = new Forger(world.keys, admin, new Date());
  const kinds: [state: string, made: Forgery[]][] = [
    ['C14', forger.times()],
    ['C15', forger.unsigned()],
    ['C16', forger.confused()],
    ['C17', forger.otherKeys()],
    ['C18', forger.keyChoosers(trapUrl)],
    ['C19', forger.damaged()],
    ['C20', forger.extended()],
    ['C21', forger.forOthers()],
    ['C22', forger.otherTypes()],
  ];
  const forged = kinds.flatMap(([state, made]) =>
    made.map(({ what, token: text }) => ({ state, what, headers: bearer(text), is: REFUSED })),
  );
  const good = {
    state: 'C30',
    what: 'JWT made by the forger',
    headers: bearer(forger.good()),
    is: user(admin, { isCreator: true }),
  };
  return [...forged, good];
}

/** C23: the signature is valid, but the account or session is gone. */
async function identities(world: World, place: TestDeployment): Promise<CredentialCase[]> {
  const gone = async (what: string, statement: string) => {
    const person = await world.memberWithoutTeam(place, 'ORG_ROLE_ADMIN');
    await world.queryAsOwner(statement, [statement.includes('session') ? person.session : person.id]);
    return { state: 'C23', what, headers: bearer(person.jwt), is: REFUSED };
  };
  const removed = await world.memberWithoutTeam(place, 'ORG_ROLE_ADMIN');
  await world.inDeployment(place, (tx) => people.removeMembership(tx, { deployment: place.id, account: removed.id }));
  return [
    await gone('disabled', 'update account set disabled_at = now() where id = $1'),
    await gone('deleted', 'update account set deleted_at = now() where id = $1'),
    await gone('session ended', 'update session set ended_at = now() where id = $1'),
    await gone('session over', "update session set expires_at = now() - interval '1 second' where id = $1"),
    {
      state: 'C23',
      what: 'removed',
      headers: bearer(removed.jwt),
      is: user(removed, { isMember: false, hasNoDeployment: true }),
    },
  ];
}

/** C24 and C25: valid credentials of another deployment. */
function outsiders({ admin }: TestDeployment, text: string): CredentialCase[] {
  return [
    { state: 'C24', what: 'administrator elsewhere', headers: bearer(admin.jwt), is: user(admin, { isMember: false }) },
    { state: 'C25', what: 'token of another deployment', headers: bearer(text), is: token({ isMember: false }) },
  ];
}

/** C28: an administrator of both deployments names an object of one in a path of the other. */
async function ofBoth(world: World, place: TestDeployment, other: TestDeployment): Promise<CredentialCase> {
  const both = await world.memberWithoutTeam(place, 'ORG_ROLE_ADMIN');
  const membership = { deployment: other.id, account: both.id, role: 'ORG_ROLE_ADMIN' };
  await world.inDeployment(other, (tx) => people.addMembership(tx, membership));
  // Requests that name no deployment are about the one that was joined first.
  await world.queryAsOwner(
    "update membership set joined_at = now() + interval '1 hour' where deployment_id = $1 and account_id = $2",
    [other.id, both.id],
  );
  return {
    state: 'C28',
    what: 'of both',
    headers: bearer(both.jwt),
    isObjectForeign: true,
    is: user(both),
  };
}
