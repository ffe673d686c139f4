import { fuzz as sendAll } from '#test/support/http/fuzz.ts';
import { World } from '#test/support/world/world.ts';
import type { Campaign, CampaignOptions, FaultFigure } from './campaign.ts';

const CHUNK = 10_000;

/** Sends valid and invalid generated requests to every operation. Each reply must conform to the contract. */
export const fuzz: Campaign = {
  defaultCycles: 100_000,
  async run({ cycles, seed, say }: CampaignOptions): Promise<FaultFigure[]> {
    const world = await World.start();
    const failures: string[] = [];
    const succeeded = new Set<string>();
    let requests = 0;
    try {
      while (requests < cycles && failures.length === 0) {
        // Far apart, because a run of many requests also uses the seeds after its own.
        const report = await sendAll({
          world,
          requests: Math.min(CHUNK, cycles - requests),
          seed: seed * 1_000_000 + requests,
        });
        requests += report.requests;
        failures.push(...report.failures);
        for (const operation of report.succeeded) succeeded.add(operation);
        say(`${requests} requests`);
      }
    } finally {
      await world.stop();
    }
    return [
      {
        id: 'Z01 fuzz',
        wanted: `0 replies of 500 and above, 0 contract violations in ${cycles} requests`,
        reached: `${failures.length} in ${requests} requests (${succeeded.size} operations succeeded)`,
        isReached: failures.length === 0 && requests >= cycles,
        details: failures,
      },
    ];
  },
};
