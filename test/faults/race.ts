import { Api, type ApiAnswer } from './api.ts';
import { randomFrom } from './campaign.ts';

export const CLIENTS = 32;
const ROUNDS_OF_ONE_WINNER = 100;

type Body = Record<string, unknown>;

/** Applies the same changes one after another, as the server should have done. */
export interface RaceModel {
  /** Applies a change and returns the expected reply of the server. */
  apply(body: Body): string;
  /** The complete expected state. */
  whole(): string;
}

/** An object that many clients change concurrently. */
export interface Race {
  name: string;
  baseUrl: string;
  token: string;
  readPath: string;
  write: { method: string; path: string };
  draw(random: () => number): Body;
  /** A change that differs from the current state. */
  decisive(round: number): Body;
  model: RaceModel;
  /** The state in a reply, in the terms of the model. */
  told(body: Body): string;
  stored(): Promise<string>;
  /** The states in the history of the object, change by change, if it has a history. */
  trail?(): Promise<string[]>;
}

/** One completed change as its client saw it. The version gives the order of changes. */
interface Done {
  version: number;
  body: Body;
  told: string;
}

export interface RaceOutcome {
  done: number;
  problems: string[];
  rounds: number;
  wrongRounds: string[];
}

const versionOf = ({ headers }: ApiAnswer) => Number(String(headers['etag']).replaceAll('"', ''));

const ask = (api: Api, { token, write }: Race, body: Body, headers: Record<string, string> = {}) =>
  api.ask({ ...write, token, body, headers });

/** Runs the clients concurrently, then runs clients that all name the same version. */
export async function runRace(
  contest: Race,
  { changes, seed }: { changes: number; seed: number },
): Promise<RaceOutcome> {
  const apis = Array.from({ length: CLIENTS }, () => new Api(contest.baseUrl));
  const [first] = apis;
  if (!first) throw new Error('There are no clients.');
  const start = versionOf(await first.ask({ method: 'GET', path: contest.readPath, token: contest.token }));
  const history: Done[] = [];
  const problems: string[] = [];
  const race = apis.map(async (api, client) => {
    const random = randomFrom(seed * 1000 + client);
    for (let count = client; count < changes; count += CLIENTS) {
      const body = contest.draw(random);
      const answer = await ask(api, contest, body);
      if (answer.status === 200) history.push({ version: versionOf(answer), body, told: contest.told(answer.body) });
      else problems.push(`answered ${answer.status} ${String(answer.body['code'])}`);
    }
  });
  await Promise.all(race);
  problems.push(...(await replay(contest, start, history)));
  const wrongRounds = await oneWinner(contest, apis, first);
  for (const api of apis) api.close();
  return { done: history.length, problems, rounds: ROUNDS_OF_ONE_WINNER, wrongRounds };
}

/** Replays all changes on the model in the order of their versions: each reply and the final state must be equal. */
async function replay(contest: Race, start: number, history: readonly Done[]): Promise<string[]> {
  const problems: string[] = [];
  const trail: string[] = [];
  const byVersion = Map.groupBy(history, ({ version }) => version);
  let due = start + 1;
  for (const [version, changes] of [...byVersion].sort(([one], [other]) => one - other)) {
    if (version !== start && version !== due++) problems.push(`version ${version} where ${due - 1} was due`);
    for (const [index, { body, told }] of changes.entries()) {
      const before = contest.model.whole();
      const expected = contest.model.apply(body);
      if (told !== expected) problems.push(`version ${version} answered ${told} where it was ${expected}`);
      const isFree = version === start || index > 0;
      // Two replies with one version are correct only if one of them changed nothing.
      if (isFree && before !== contest.model.whole()) problems.push(`version ${version} was given to two changes`);
    }
    if (version !== start) trail.push(contest.model.whole());
  }
  const stored = await contest.stored();
  if (stored !== contest.model.whole()) problems.push(`${stored} is stored and should be ${contest.model.whole()}`);
  const kept = await contest.trail?.();
  if (kept && kept.join('\n') !== trail.join('\n')) problems.push(`${kept.length} entries in the history differ`);
  return problems;
}

/** All clients read one version and name it in their change. */
async function oneWinner(contest: Race, apis: readonly Api[], first: Api): Promise<string[]> {
  const wrong: string[] = [];
  for (let round = 1; round <= ROUNDS_OF_ONE_WINNER; round++) {
    const { headers } = await first.ask({ method: 'GET', path: contest.readPath, token: contest.token });
    const named = { 'if-match': String(headers['etag']) };
    const answers = await Promise.all(apis.map((api) => ask(api, contest, contest.decisive(round), named)));
    const statuses = answers.map(({ status }) => status);
    const winners = statuses.filter((status) => status === 200).length;
    const losers = statuses.filter((status) => status === 412).length;
    if (winners !== 1 || losers !== CLIENTS - 1) wrong.push(`round ${round}: ${statuses.join(' ')}`);
  }
  return wrong;
}
