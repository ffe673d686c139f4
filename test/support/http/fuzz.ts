import fc from 'fast-check';
import { routerOf } from '../../../src/server/assemble.ts';
import { makeObject } from '../factories/example-objects.ts';
import { PASSWORD, type TestDeployment, type TestUser, type World } from '../world/world.ts';
import { contractViolations, errorBodyProblems, statusAndCode } from './checked-call.ts';
import { contentOf } from './content.ts';
import { sendRequest, type TestRequest, type TestResponse } from './exchange.ts';
import { type GeneratedRequest, generatedRequests } from './generated-requests.ts';
import { operations } from './operations.ts';

export interface FuzzOptions {
  world: World;
  requests: number;
  /** The same seed gives the same requests, except for the ids of existing objects. */
  seed: number;
  /** The ids of the operations to send to; by default all of them. */
  only?: readonly string[];
}

export interface FuzzReport {
  requests: number;
  byVerdict: Record<string, number>;
  /** Operations that succeeded at least once. */
  succeeded: Set<string>;
  /** Failures, each with the request that reproduces it. */
  failures: string[];
}

const CHUNK = 1000;
const AT_ONCE = 8;
const MAX_FAILURES = 20;
/** After this many batches of requests new objects are created. */
const FILL_EVERY = 20;
const MAKEABLE = [
  'Team',
  'Project',
  'Branch',
  'ProjectName',
  'Scan',
  'User',
  'Token',
  'Automation',
  'DeletedAutomation',
  'Tag',
  'Ruleboard',
  'Policy',
  'PartnerCredential',
  'SsoProvider',
  'CiTrust',
  'ScimUser',
  'ScimGroup',
  'StartableSsoProvider',
  'SignInWay',
  'SsoDomain',
  'Notification',
  'Issue',
  'Invitation',
  'Session',
  'ProductWithoutContent',
  'ReviewCommentContent',
  'TaskToken',
  'TaskTicket',
  'TrackedScan',
  'RunningScan',
  'Finding',
  'FindingBatch',
  'ExceptionRequest',
  'FindingComment',
  'SavedView',
  'HoldingScan',
  'Delivery',
  'NotificationRule',
  'NotificationWebhook',
  'TicketingInstance',
  'UnusedTicketingInstance',
  'TrackerProject',
  'TicketUrl',
  'ExternalTicket',
  'UnsubscribeToken',
  'StorageCredential',
  'ScmConfig',
  'ScmSubscription',
  'ScmHook',
  'ScmApp',
  'ScmAppRequest',
  'SlackDeployment',
  'SlackChannelMapping',
];
const CURSORS_KEPT = 20;

/** The deployment of the requests of one chunk, which create and delete objects in it. */
class FuzzDeployment {
  readonly world: World;
  readonly place: TestDeployment;
  readonly stranger: TestDeployment;
  readonly member: TestUser;
  readonly known: Record<string, string[]>;
  token: string;

  private constructor(world: World, facts: Omit<FuzzDeployment, 'world' | 'fill' | 'renewToken' | 'credentialOf'>) {
    this.world = world;
    this.place = facts.place;
    this.stranger = facts.stranger;
    this.member = facts.member;
    this.known = facts.known;
    this.token = facts.token;
  }

  static async open(world: World): Promise<FuzzDeployment> {
    const [place, stranger] = [await world.deployment(), await world.deployment()];
    const known: FuzzDeployment['known'] = {
      Deployment: [place.id],
      Slug: [place.slug],
      ForeignDeployment: [stranger.id],
      ForeignSlug: [stranger.slug],
      Email: [place.admin.email],
      Password: [PASSWORD],
      Number: ['7'],
      Soon: [new Date(Date.now() + 30 * 24 * 3600 * 1000).toISOString()],
      Cursor: [''],
    };
    for (const noun of ['Team', 'Project', 'User'])
      known[`Foreign${noun}`] = [await makeObject({ world, place: stranger }, noun)];
    const token = (await world.token(place)).text;
    const home = new FuzzDeployment(world, { place, stranger, member: await world.member(place), known, token });
    await home.fill();
    return home;
  }

  /** Creates a few new objects, because requests delete some of them. */
  async fill(): Promise<void> {
    for (const noun of MAKEABLE)
      this.known[noun] = [
        ...(this.known[noun] ?? []).slice(-4),
        await makeObject({ world: this.world, place: this.place }, noun),
      ];
  }

  async renewToken(): Promise<void> {
    this.token = (await this.world.token(this.place)).text;
  }

  async credentialOf(caller: GeneratedRequest['caller']): Promise<string | undefined> {
    switch (caller) {
      case 'admin':
        return (await this.world.signIn(this.place.admin)).jwt;
      case 'member':
        return (await this.world.signIn(this.member)).jwt;
      case 'stranger':
        return (await this.world.signIn(this.stranger.admin)).jwt;
      case 'token':
        return this.token;
      case 'forger':
        return `${this.stranger.admin.jwt.slice(0, -9)}forgedxyz`;
      case 'nobody':
        return undefined;
    }
  }
}

const router = routerOf();

/** Replaces the nouns of a draft by ids of existing objects. */
function fillIn(text: string, known: FuzzDeployment['known'], turn: number): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, noun: string) => {
    const ids = known[noun] ?? ['1'];
    return ids[turn % ids.length] ?? '1';
  });
}

async function sentOf(home: FuzzDeployment, draft: GeneratedRequest, turn: number): Promise<TestRequest> {
  const { operation } = operations[draft.operation]?.bound ?? failNever();
  const path = operation.template.replace(/\{(\w+)(\.\.\.)?\}/g, (_, name: string) =>
    fillIn(draft.path[name] ?? '', home.known, turn),
  );
  const credential = operation.allow === 'public' ? undefined : await home.credentialOf(draft.caller);
  const query = fillIn(draft.query, home.known, turn);
  const content = contentOf(operation, { raw: fillIn(draft.body, home.known, turn) });
  return {
    method: operation.method,
    target: query === '' ? path : `${path}?${query}`,
    headers: {
      ...content.headers,
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
      ...draft.headers,
    },
    body: content.body,
    rawTypes: operation.raw?.types,
  };
}

function failNever(): never {
  throw new Error('The draft names an unknown operation.');
}

/** Valid replies if no operation was reached: the path is unknown or has other methods. */
const UNROUTED = ['404 ROUTE_NOT_FOUND', '405 METHOD_NOT_ALLOWED', '400 MALFORMED_REQUEST'];

function problemsOf({ method, target }: TestRequest, answer: TestResponse): string[] {
  // 502 is the failure of a tracker; that the operation documents it is checked with its body.
  const problems = answer.status >= 500 && answer.status !== 502 ? [`status ${answer.status}`] : [];
  const match = router.find(method, target.split('?')[0] ?? '');
  if (match.kind === 'found') return [...problems, ...contractViolations(match.target, answer)];
  const isExpected = UNROUTED.includes(statusAndCode(answer));
  return [
    ...problems,
    ...(isExpected ? [] : [`${statusAndCode(answer)} without a route`]),
    ...errorBodyProblems(answer),
  ];
}

/** One line from which the request can be repeated. */
function lineOf({ method, target, headers, body }: TestRequest, where: string): string {
  const shown = JSON.stringify({ ...headers, authorization: undefined });
  return `${where}: ${method} ${target} ${shown} ${JSON.stringify(body)?.slice(0, 2000)}`;
}

/** Sends generated requests to every operation and checks each reply against the contract. */
export async function fuzz({ world, requests, seed, only }: FuzzOptions): Promise<FuzzReport> {
  const report: FuzzReport = { requests: 0, byVerdict: {}, succeeded: new Set(), failures: [] };
  for (let start = 0; start < requests && report.failures.length < MAX_FAILURES; start += CHUNK) {
    const numRuns = Math.min(CHUNK, requests - start);
    const wanted = generatedRequests((id) => only?.includes(id) ?? true);
    const chunk = fc.sample(wanted, { numRuns, seed: seed + start / CHUNK });
    const home = await FuzzDeployment.open(world);
    for (let at = 0; at < chunk.length; at += AT_ONCE) {
      if (at % (AT_ONCE * FILL_EVERY) === 0) await home.fill();
      const batch = chunk.slice(at, at + AT_ONCE);
      await Promise.all(batch.map((draft, offset) => send(home, draft, { report, at: start + at + offset, seed })));
    }
  }
  return report;
}

async function send(
  home: FuzzDeployment,
  draft: GeneratedRequest,
  { report, at, seed }: { report: FuzzReport; at: number; seed: number },
) {
  const sent = await sentOf(home, draft, at);
  const where = `seed ${seed} request ${at} as ${draft.caller}`;
  report.requests += 1;
  let answer: TestResponse;
  try {
    answer = await sendRequest(home.world.baseUrl, sent);
  } catch (error) {
    report.failures.push(`${(error as Error).message} — ${lineOf(sent, where)}`);
    return;
  }
  const verdict = statusAndCode(answer);
  report.byVerdict[verdict] = (report.byVerdict[verdict] ?? 0) + 1;
  if (answer.status < 400) report.succeeded.add(operations[draft.operation]?.id ?? '');
  if (draft.caller === 'token' && answer.status === 401) await home.renewToken();
  const { cursor } = answer.json;
  if (typeof cursor === 'string' && cursor !== '')
    home.known['Cursor'] = [...(home.known['Cursor'] ?? []).slice(-CURSORS_KEPT), cursor];
  for (const problem of problemsOf(sent, answer)) report.failures.push(`${problem} — ${lineOf(sent, where)}`);
}
