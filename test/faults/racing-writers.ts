import { World } from '#test/support/world.ts';
import { Api } from './api.ts';
import { type Campaign, type CampaignOptions, type Finding, randomFrom } from './campaign.ts';

const CLIENTS = 32;
const PEOPLE = 40;
const ROUNDS_OF_ONE_WINNER = 100;

interface Ground {
  baseUrl: string;
  path: string;
  token: string;
  people: string[];
}

/** One change as its client saw it done: the version tells which changes came before. */
interface Done {
  version: number;
  isAdd: boolean;
  person: string;
  /** The size of the team that the answer told. */
  size: number;
}

/** Many clients change one team at once: no change is lost, and of those who name a version one wins. */
export const racingWriters: Campaign = {
  defaultCycles: 10_000,
  async run({ cycles, seed, say }: CampaignOptions): Promise<Finding[]> {
    const world = await World.start();
    try {
      const ground = await prepare(world);
      const { problems, done } = await race(world, ground, { cycles, seed });
      say(`${done} changes done`);
      const { rounds, wrong } = await oneWinner(ground);
      return [
        {
          id: 'CON-03 racing-writers',
          wanted: `0 lost updates in ${cycles} adds and removes by ${CLIENTS} clients`,
          reached: `${problems.length} lost or out of order in ${done}`,
          isReached: problems.length === 0 && done === cycles,
          details: problems,
        },
        {
          id: 'CON-02 one winner',
          wanted: `exactly one of ${CLIENTS} writers wins each of ${rounds} versions`,
          reached: `${rounds - wrong.length} of ${rounds}`,
          isReached: wrong.length === 0,
          details: wrong,
        },
      ];
    } finally {
      await world.stop();
    }
  },
};

async function prepare(world: World): Promise<Ground> {
  const place = await world.deployment();
  const token = (await world.token(place)).text;
  const people: string[] = [];
  for (let count = 0; count < PEOPLE; count++) people.push((await world.outsider(place)).id);
  const api = new Api(world.baseUrl);
  const base = `/api/permissions/v2/deployments/${place.id}/teams`;
  const { body } = await api.ask({ method: 'POST', path: base, token, body: { team: { name: 'Contested' } } });
  api.close();
  return { baseUrl: world.baseUrl, path: `${base}/${(body['team'] as { id: string }).id}`, token, people };
}

const versionOf = (headers: Record<string, unknown>) => Number(String(headers['etag']).replaceAll('"', ''));

async function race(world: World, ground: Ground, { cycles, seed }: { cycles: number; seed: number }) {
  const history: Done[] = [];
  const problems: string[] = [];
  let left = cycles;
  const work = async (client: number) => {
    const random = randomFrom(seed * 1000 + client);
    const api = new Api(ground.baseUrl);
    while (left-- > 0) {
      const isAdd = random() < 0.5;
      const person = ground.people[Math.floor(random() * ground.people.length)] ?? '';
      const action = isAdd ? 'UPDATE_ACTION_ADD' : 'UPDATE_ACTION_REMOVE';
      const body = { team: { users: [{ userId: person, action }] } };
      const answer = await api.ask({ method: 'PATCH', path: ground.path, token: ground.token, body });
      if (answer.status !== 200) problems.push(`answered ${answer.status} ${String(answer.body['code'])}`);
      const size = Number((answer.body['team'] as { userCount?: string } | undefined)?.userCount);
      history.push({ version: versionOf(answer.headers), isAdd, person, size });
    }
    api.close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));
  const members = await world.look<{ account_id: string }>('select account_id from team_member where team_id = $1', [
    ground.path.split('/').at(-1),
  ]);
  problems.push(...replay(history, new Set(members.map((row) => String(row.account_id)))));
  return { problems, done: history.length };
}

/** Does all changes again on a set, in the order of their versions: each answer and the end must be the same. */
function replay(history: readonly Done[], stored: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  const model = new Set<string>();
  const ordered = history.toSorted((one, other) => one.version - other.version);
  for (const [index, { version, isAdd, person, size }] of ordered.entries()) {
    if (version !== index + 2) problems.push(`version ${version} where ${index + 2} was due`);
    if (isAdd) model.add(person);
    else model.delete(person);
    if (size !== model.size) problems.push(`version ${version} answered ${size} members and there were ${model.size}`);
  }
  for (const person of new Set([...model, ...stored]))
    if (model.has(person) !== stored.has(person))
      problems.push(`person ${person} should ${model.has(person) ? '' : 'not '}be in`);
  return problems;
}

/** All clients read one version and name it in their change. */
async function oneWinner({ baseUrl, path, token, people }: Ground): Promise<{ rounds: number; wrong: string[] }> {
  const apis = Array.from({ length: CLIENTS }, () => new Api(baseUrl));
  const wrong: string[] = [];
  const [first] = apis;
  for (let round = 1; round <= ROUNDS_OF_ONE_WINNER && first; round++) {
    const { headers } = await first.ask({ method: 'GET', path, token });
    const statuses = await Promise.all(
      apis.map(async (api, index) => {
        const body = { team: { users: [{ userId: people[index % people.length], action: 'UPDATE_ACTION_ADD' }] } };
        const named = { 'if-match': String(headers['etag']) };
        return (await api.ask({ method: 'PATCH', path, token, body, headers: named })).status;
      }),
    );
    const winners = statuses.filter((status) => status === 200).length;
    const losers = statuses.filter((status) => status === 412).length;
    if (winners !== 1 || losers !== CLIENTS - 1) wrong.push(`round ${round}: ${statuses.join(' ')}`);
  }
  for (const api of apis) api.close();
  return { rounds: ROUNDS_OF_ONE_WINNER, wrong };
}
