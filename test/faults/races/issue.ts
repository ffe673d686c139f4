import { makeObject } from '#test/support/factories/example-objects.ts';
import type { World } from '#test/support/world/world.ts';
import type { Race } from '../race.ts';
import { makeRaceDeployment, oneOf } from './race-deployment.ts';

const OPEN = { triageState: 'TRIAGE_STATE_OPEN' };
const DECISIONS = [
  OPEN,
  ...['REOPENED', 'REVIEWING', 'FIXING', 'FIXED'].map((word) => ({ triageState: `TRIAGE_STATE_${word}` })),
  ...['FALSE_POSITIVE', 'ACCEPTABLE_RISK', 'NO_TIME'].map((word) => ({
    triageState: 'TRIAGE_STATE_IGNORED',
    triageReason: `TRIAGE_REASON_${word}`,
  })),
];

const decisionIn = ({ triageState, triageReason }: Record<string, unknown>) => `${triageState} ${triageReason ?? ''}`;

/** Seed 4.3: all clients triage one issue differently. */
export async function issue(world: World): Promise<Race> {
  const { place, baseUrl, token } = await makeRaceDeployment(world);
  const id = await makeObject({ world, place }, 'Issue');
  const path = `/api/issues/${place.id}/issue/${id}`;
  let decided = decisionIn(OPEN);
  const look = (text: string) => world.queryAsOwner<Record<string, unknown>>(text, [id]);
  return {
    name: '4.3 triage issue',
    baseUrl,
    token,
    readPath: path,
    write: { method: 'POST', path },
    draw: (random) => oneOf(DECISIONS, random),
    decisive: (round) => (round % 2 === 0 ? OPEN : { triageState: 'TRIAGE_STATE_PROVISIONALLY_IGNORED' }),
    told: (body) => decisionIn(body['data'] as Record<string, unknown>),
    model: {
      apply: (body) => {
        decided = decisionIn(body);
        return decided;
      },
      whole: () => decided,
    },
    stored: async () => {
      const [row = {}] = await look('select triage_state, triage_reason from workflow_issue where id = $1');
      return decisionIn({ triageState: row['triage_state'], triageReason: row['triage_reason'] });
    },
    trail: async () => {
      const rows = await look('select new_values from workflow_issue_activity where issue_id = $1 order by id');
      return rows.map((row) => decisionIn(row['new_values'] as Record<string, unknown>));
    },
  };
}
