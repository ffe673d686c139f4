import { parseArgs } from 'node:util';
import { type Campaign, type FaultFigure, lineOf } from './campaign.ts';
import { forgedSignIns } from './forged-sign-ins.ts';
import { fullDisk } from './full-disk.ts';
import { fuzz } from './fuzz.ts';
import { guesses } from './guesses.ts';
import { importFaults } from './imports.ts';
import { killDatabase } from './kill-database.ts';
import { killDeliveries } from './kill-deliveries.ts';
import { killMigration } from './kill-migration.ts';
import { killServer } from './kill-server.ts';
import { mailOutage } from './mail-outage.ts';
import { properties } from './properties.ts';
import { racingWriters } from './racing-writers.ts';
import { stopServer } from './stop-server.ts';
import { twoServers } from './two-servers.ts';

const CAMPAIGNS: Record<string, Campaign> = {
  'kill-server': killServer,
  'kill-database': killDatabase,
  'stop-server': stopServer,
  'kill-migration': killMigration,
  'kill-deliveries': killDeliveries,
  imports: importFaults,
  'two-servers': twoServers,
  'full-disk': fullDisk,
  'mail-outage': mailOutage,
  'racing-writers': racingWriters,
  guesses,
  'forged-sign-ins': forgedSignIns,
  fuzz,
  properties,
};

/** Injects faults and prints the expected and the actual result of each campaign. */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    cycles: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const cycles = values.cycles === undefined ? undefined : Number(values.cycles);
const seed = Number(values.seed);
const unknown = values.only.filter((name) => !(name in CAMPAIGNS));
if (unknown.length > 0 || !((cycles ?? 1) > 0) || Number.isNaN(seed)) {
  const names = Object.keys(CAMPAIGNS).join(', ');
  console.error(`Usage: npm run faults -- [--only NAME]… [--cycles N] [--seed N]\nNAME: ${names}`);
  process.exit(2);
}

const findings: FaultFigure[] = [];
for (const [name, campaign] of Object.entries(CAMPAIGNS)) {
  if (values.only.length > 0 && !values.only.includes(name)) continue;
  const start = performance.now();
  const found = await campaign.run({
    cycles: cycles ?? campaign.defaultCycles,
    seed,
    log: (line) => console.error(`${name}: ${line}`),
  });
  findings.push(...found);
  const seconds = Math.round((performance.now() - start) / 1000);
  for (const finding of found) console.log(`${lineOf(finding)} (${seconds} s)`);
}
process.exit(findings.every((finding) => finding.isMet) ? 0 : 1);
