import type { Demo } from '#domain/demo/store.ts';
import { automationStep, automationSteps, withAutomations } from './automation-steps.ts';
import type { DemoContext, DemoStep } from './context.ts';
import { type GeneratedHits, generateHits, isAlive, isFilePresent } from './generated-hits.ts';
import { dependenciesAt, reportedFinding } from './hit-reports.ts';
import { importFailedScan, importScan } from './import-scan.ts';
import { organizationStep } from './organization.ts';
import { type DemoProject, demoProjectsOf } from './projects.ts';
import { type PullRequest, pullRequestsOf, stepsOfPullRequest } from './pull-requests.ts';
import { SeededRandom } from './random.ts';
import { triageSteps } from './triage-steps.ts';
import { workflowSteps } from './workflows.ts';

/** The generated findings of each project; only a limited number is cached. */
class HitCache {
  readonly #random: SeededRandom;
  readonly #maxCached: number;
  readonly #cached = new Map<number, GeneratedHits>();

  constructor(random: SeededRandom, maxCached: number) {
    this.#random = random;
    this.#maxCached = maxCached;
  }

  of(demoProject: DemoProject): GeneratedHits {
    const cached = this.#cached.get(demoProject.index);
    if (cached) return cached;
    const [oldest] = this.#cached.keys();
    if (this.#cached.size >= this.#maxCached && oldest !== undefined) this.#cached.delete(oldest);
    const generated = generateHits(demoProject, this.#random.fork(demoProject.name));
    this.#cached.set(demoProject.index, generated);
    return generated;
  }
}

const DEPENDENCIES_EVERY_SCANS = 3;

interface MainScan {
  demoProject: DemoProject;
  ago: number;
  index: number;
  pulls: readonly PullRequest[];
}

/** A scan of the primary branch: the findings that exist at that time, including those of merged pull requests. */
function mainStep({ demoProject, ago, index, pulls }: MainScan, populations: HitCache): DemoStep {
  const isLast = index === demoProject.scans.length - 1;
  const run: DemoStep['run'] = async (tx, context) => {
    const population = populations.of(demoProject);
    const merged = pulls.flatMap(({ hits }) => hits).filter((hit) => isAlive(hit, ago));
    const hits = [...population.hits.filter((hit) => isAlive(hit, ago)), ...merged];
    const rules = await context.rules(tx, await context.project(tx, demoProject.name));
    const random = new SeededRandom(`${context.demo.seed} dependencies of ${demoProject.name}`);
    await importScan(tx, context, {
      project: demoProject.name,
      ago,
      mode: 'full',
      paths: [
        ...[...population.files].flatMap(([path, deletedAgo]) => (isFilePresent(deletedAgo, ago) ? [path] : [])),
        ...merged.map(({ path }) => path),
      ],
      findings: hits.map((hit) => reportedFinding(demoProject.name, hit, rules)),
      ...((isLast || index % DEPENDENCIES_EVERY_SCANS === 0) && {
        dependencies: dependenciesAt(demoProject, population, { ago, random }),
      }),
    });
  };
  // Like every import: until autovacuum has seen the first rows, a statement can get a slow plan.
  return { ago, isLong: true, run };
}

const FAILED_AGO = 0.12;

const failureStep = (demoProject: DemoProject): DemoStep => ({
  ago: FAILED_AGO,
  run: (tx, context: DemoContext) =>
    importFailedScan(tx, context, {
      project: demoProject.name,
      ago: FAILED_AGO,
      mode: 'full',
      paths: [],
      findings: [],
    }),
});

const scansOf = (demoProject: DemoProject, pulls: readonly PullRequest[], populations: HitCache): DemoStep[] =>
  demoProject.scans.map((ago, index) => mainStep({ demoProject, ago, index, pulls }, populations));

/** All steps of a demo, in order of time; the same for the same size and seed. */
export function planOf({ size, seed }: Pick<Demo, 'size' | 'seed'>): DemoStep[] {
  const projects = demoProjectsOf(size);
  const random = new SeededRandom(`${seed} ${size}`);
  if (size === 'enterprise') {
    // Project by project, so that the findings of only one are in memory.
    const populations = new HitCache(random, 1);
    const scans = projects.flatMap((demoProject) => scansOf(demoProject, [], populations));
    return [organizationStep(projects), ...scans, automationStep(projects)];
  }
  const populations = new HitCache(random, projects.length);
  const steps = projects.flatMap((demoProject) => {
    const pulls = pullRequestsOf(demoProject, random.fork(`pull requests of ${demoProject.name}`));
    return [...scansOf(demoProject, pulls, populations), ...pulls.flatMap(stepsOfPullRequest)].map(withAutomations);
  });
  const failing = projects[6];
  const others = [
    ...triageSteps(random.fork('decisions'), projects),
    ...workflowSteps(projects),
    ...automationSteps(projects),
    ...(failing ? [failureStep(failing)] : []),
  ];
  return [organizationStep(projects), ...[...steps, ...others].sort((left, right) => right.ago - left.ago)];
}
