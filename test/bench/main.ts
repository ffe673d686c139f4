import { availableParallelism, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAutomations } from './automations.ts';
import { type Bench, type Figure, isMet, table } from './figure.ts';
import { guardrailFigures } from './guardrail-report.ts';
import { benchImports } from './imports.ts';
import { auditFigures, jobFigures } from './kernel.ts';
import { benchDeepPages } from './lists/deep-pages.ts';
import { benchFindings } from './lists/findings.ts';
import { benchReportFormats } from './reports/report-formats.ts';
import { benchReportMemory } from './reports/report-memory.ts';
import { benchWorstReports } from './reports/worst-reports.ts';
import { benchRowSecurity } from './row-security.ts';
import { benchServers } from './servers.ts';
import { benchStartUp } from './start-up.ts';
import { benchTeamList } from './team-list.ts';
import { benchIdleConnections } from './tenants/idle-connections.ts';
import { benchLargeTenant } from './tenants/large-tenant.ts';
import { benchNoisyNeighbour } from './tenants/noisy-neighbour.ts';
import { benchSoak } from './tenants/soak.ts';
import { benchTracking } from './tracking/tracking.ts';
import { benchWeb } from './web.ts';

const BENCHES: Record<string, Bench> = {
  'team-list': benchTeamList,
  'row-security': benchRowSecurity,
  'start-up': benchStartUp,
  servers: benchServers,
  audit: auditFigures,
  jobs: jobFigures,
  findings: benchFindings,
  'deep-pages': benchDeepPages,
  guardrails: guardrailFigures,
  imports: benchImports,
  automations: benchAutomations,
  'report-memory': benchReportMemory,
  'report-formats': benchReportFormats,
  tracking: benchTracking,
  web: benchWeb,
  'worst-reports': benchWorstReports,
  'noisy-neighbour': benchNoisyNeighbour,
  'large-tenant': benchLargeTenant,
  'idle-connections': benchIdleConnections,
  soak: benchSoak,
};

/** Runs the benchmarks and prints each figure with its baseline and its target. Speed is a ratio within one run. */
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    scale: { type: 'string', default: '1' },
  },
});
const scale = Number(values.scale);
const unknown = values.only.filter((name) => !(name in BENCHES));
if (unknown.length > 0 || !(scale > 0)) {
  console.error(
    `Usage: npm run bench -- [--json] [--only NAME]… [--scale N]\nNAME: ${Object.keys(BENCHES).join(', ')}`,
  );
  process.exit(2);
}

const names = values.only.length > 0 ? values.only : Object.keys(BENCHES);
const results: Record<string, { seconds: number; figures: (Figure & { isMet?: boolean })[] }> = {};
for (const name of names) {
  const start = performance.now();
  const figures = (await BENCHES[name]?.({ scale, log: (line) => console.error(`${name}: ${line}`) })) ?? [];
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  results[name] = {
    seconds,
    figures: figures.map((figure) => {
      const reached = isMet(figure);
      return reached === undefined ? figure : { ...figure, isMet: reached };
    }),
  };
  if (!values.json) console.log(`\n${name} (${seconds} s)\n${table(figures)}`);
}
const areAllMet = Object.values(results).every(({ figures }) => figures.every((one) => one.isMet !== false));
if (values.json) {
  const machine = {
    cores: availableParallelism(),
    memoryMb: Math.round(totalmem() / 2 ** 20),
    node: process.versions.node,
  };
  console.log(JSON.stringify({ machine, scale, areAllMet, benches: results }));
}
process.exitCode = areAllMet ? 0 : 1;
