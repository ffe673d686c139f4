import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { FULL_PROPERTIES } from '#test/support/properties.ts';
import type { Campaign, CampaignOptions, FaultFigure } from './campaign.ts';

const usesFullRuns = (file: string): boolean => readFileSync(file, 'utf8').includes('#test/support/properties.ts');

/** Runs the slow property and model tests with their full number of runs; `npm test` runs fewer. */
export const properties: Campaign = {
  defaultCycles: 1,
  async run({ cycles, say }: CampaignOptions): Promise<FaultFigure[]> {
    const files = globSync('{src,test}/**/*.test.ts').filter(usesFullRuns);
    const failures: string[] = [];
    for (let cycle = 0; cycle < cycles; cycle++) {
      const env = { ...process.env, [FULL_PROPERTIES]: 'true' };
      const runner = spawn(process.execPath, ['tools/test.ts', ...files], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      runner.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      const [code] = (await once(runner, 'close')) as [number | null];
      if (code !== 0) failures.push(...output.slice(output.indexOf('failing tests')).split('\n'));
      say(`${cycle + 1} of ${cycles} cycles`);
    }
    return [
      {
        id: 'M01 properties',
        wanted: `0 failures in ${files.length} files of property tests, with fixed and random seeds`,
        reached: failures.length === 0 ? '0 failures' : 'failures',
        isReached: failures.length === 0,
        details: failures,
      },
    ];
  },
};
