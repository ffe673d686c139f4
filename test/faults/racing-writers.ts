import { World } from '#test/support/world/world.ts';
import type { Campaign, CampaignOptions, FaultFigure } from './campaign.ts';
import { CLIENTS, type RaceOutcome, runRace } from './race.ts';
import { issue } from './races/issue.ts';
import { products } from './races/products.ts';
import { ruleboard } from './races/ruleboard.ts';
import { team } from './races/team.ts';

const CONTESTS = [issue, team, ruleboard, products];

/** Many clients change one object concurrently: no change is lost, and of those that name a version one wins. */
export const racingWriters: Campaign = {
  defaultCycles: 10_000,
  async run({ cycles, seed, say }: CampaignOptions): Promise<FaultFigure[]> {
    const world = await World.start();
    const findings: FaultFigure[] = [];
    try {
      for (const prepare of CONTESTS) {
        const contest = await prepare(world);
        const outcome = await runRace(contest, { changes: cycles, seed });
        say(`${contest.name}: ${outcome.done} changes done`);
        findings.push(...findingsOf(contest.name, cycles, outcome));
      }
    } finally {
      await world.stop();
    }
    return findings;
  },
};

const findingsOf = (
  name: string,
  cycles: number,
  { done, problems, rounds, wrongRounds }: RaceOutcome,
): FaultFigure[] => [
  {
    id: `CON-03 racing-writers, ${name}`,
    wanted: `0 lost updates in ${cycles} changes by ${CLIENTS} clients`,
    reached: `${problems.length} lost or out of order in ${done}`,
    isReached: problems.length === 0 && done === cycles,
    details: problems,
  },
  {
    id: `CON-02 one winner, ${name}`,
    wanted: `exactly one of ${CLIENTS} writers wins each of ${rounds} versions`,
    reached: `${rounds - wrongRounds.length} of ${rounds}`,
    isReached: wrongRounds.length === 0,
    details: wrongRounds,
  },
];
