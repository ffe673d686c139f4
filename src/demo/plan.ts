import type { Demo } from '#domain/demo/store.ts';
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

/** All that will be found in each project; few are kept at once where many would fill the memory. */
class Populations {
  readonly #random: SeededRandom;
  readonly #most: number;
  readonly #known = new Map<number, GeneratedHits>();

  constructor(random: SeededRandom, most: number) {
    this.#random = random;
    this.#most = most;
  }

  of(estate: DemoProject): GeneratedHits {
    const known = this.#known.get(estate.index);
    if (known) return known;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= this.#most && oldest !== undefined) this.#known.delete(oldest);
    const made = generateHits(estate, this.#random.fork(estate.name));
    this.#known.set(estate.index, made);
    return made;
  }
}

const DEPENDENCIES_EVERY = 3;
const LARGE = 2000;

interface MainScan {
  estate: DemoProject;
  ago: number;
  index: number;
  pulls: readonly PullRequest[];
}

/** A scan of the primary branch: what lives there at that time, with what pull requests brought. */
function mainStep({ estate, ago, index, pulls }: MainScan, populations: Populations): DemoStep {
  const isLast = index === estate.scans.length - 1;
  const run: DemoStep['run'] = async (tx, context) => {
    const population = populations.of(estate);
    const landed = pulls.flatMap(({ hits }) => hits).filter((hit) => isAlive(hit, ago));
    const hits = [...population.hits.filter((hit) => isAlive(hit, ago)), ...landed];
    const rules = await context.rules(tx, await context.project(tx, estate.name));
    const random = new SeededRandom(`${context.demo.seed} dependencies of ${estate.name}`);
    await importScan(tx, context, {
      project: estate.name,
      ago,
      mode: 'full',
      paths: [
        ...[...population.files].flatMap(([path, deletedAgo]) => (isFilePresent(deletedAgo, ago) ? [path] : [])),
        ...landed.map(({ path }) => path),
      ],
      findings: hits.map((hit) => reportedFinding(estate.name, hit, rules)),
      ...((isLast || index % DEPENDENCIES_EVERY === 0) && {
        dependencies: dependenciesAt(estate, population, { ago, random }),
      }),
    });
  };
  return { ago, isLong: estate.findings > LARGE, run };
}

const FAILED_AGO = 0.12;

const failureStep = (estate: DemoProject): DemoStep => ({
  ago: FAILED_AGO,
  run: (tx, context: DemoContext) =>
    importFailedScan(tx, context, { project: estate.name, ago: FAILED_AGO, mode: 'full', paths: [], findings: [] }),
});

const scansOf = (estate: DemoProject, pulls: readonly PullRequest[], populations: Populations): DemoStep[] =>
  estate.scans.map((ago, index) => mainStep({ estate, ago, index, pulls }, populations));

/** Everything that shall have happened, in the order of its time; the same for the same size, seed and moment. */
export function planOf({ size, seed }: Pick<Demo, 'size' | 'seed'>): DemoStep[] {
  const estates = demoProjectsOf(size);
  const random = new SeededRandom(`${seed} ${size}`);
  if (size === 'enterprise') {
    // Project by project: with one after the other only one population is in memory.
    const populations = new Populations(random, 1);
    return [organizationStep(estates), ...estates.flatMap((estate) => scansOf(estate, [], populations))];
  }
  const populations = new Populations(random, estates.length);
  const steps = estates.flatMap((estate) => {
    const pulls = pullRequestsOf(estate, random.fork(`pull requests of ${estate.name}`));
    return [...scansOf(estate, pulls, populations), ...pulls.flatMap(stepsOfPullRequest)];
  });
  const failing = estates[6];
  const others = [
    ...triageSteps(random.fork('decisions'), estates),
    ...workflowSteps(estates),
    ...(failing ? [failureStep(failing)] : []),
  ];
  return [organizationStep(estates), ...[...steps, ...others].sort((one, other) => other.ago - one.ago)];
}
