import type { Bench, BenchOptions, Figure } from '../figure.ts';
import { ImportBench } from '../import-bench.ts';
import { commitsOf } from './git-history.ts';
import {
  positionOf,
  type ReplayCounts,
  type ReplayTarget,
  readSnapshots,
  replay,
  VARIANTS,
  type Variant,
} from './replay.ts';

const SNAPSHOTS = 60;
/** The share of survivors that may be lost, in percent. */
const MAX_LOST: Record<Variant, number> = {
  context: 0.08,
  'no context': 0.15,
  'no snippet': 5,
  'coarse tool fingerprint': 0.08,
  'logical location': 0.08,
};
const MIN_EDITED_KEPT = 75;
const MIN_RENAMED_KEPT = 99;
const MAX_FALSELY_CONTINUED = 5;

const targetOf = (bench: ImportBench): ReplayTarget => ({
  send: (report, target) => bench.send(report, target),
  openFindings: async (project) => {
    const rows = await bench.query<{ rule: string; path: string; line: number; id: string }>(
      `select finding.rule, detection.path, detection.line, finding.id from detection
       join finding on finding.deployment_id = detection.deployment_id and finding.id = detection.finding_id
       join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
       where project.name = $1 and detection.state = 'detected' and not detection.is_held`,
      [project],
    );
    return new Map(rows.map(({ id, ...position }) => [positionOf(position), id]));
  },
});

const percent = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole);

function figuresOf(variant: Variant, counts: ReplayCounts): Figure[] {
  const { survived, lost, edited, editedKept, renamed, renamedKept, gone, falselyContinued } = counts;
  const hasCode = variant !== 'no snippet';
  return [
    {
      name: `${variant}: lost or swapped of ${survived}`,
      value: percent(lost, survived),
      unit: '%',
      target: { atMost: MAX_LOST[variant] },
    },
    {
      name: `${variant}: edited lines recognised of ${edited}`,
      value: percent(editedKept, edited),
      unit: '%',
      ...(hasCode && { target: { atLeast: MIN_EDITED_KEPT } }),
    },
    {
      name: `${variant}: recognised in renamed files of ${renamed}`,
      value: percent(renamedKept, renamed),
      unit: '%',
      ...(hasCode && { target: { atLeast: MIN_RENAMED_KEPT } }),
    },
    {
      name: `${variant}: falsely continued of ${gone}`,
      value: percent(falselyContinued, gone),
      unit: '%',
      ...(hasCode && { target: { atMost: MAX_FALSELY_CONTINUED } }),
    },
  ];
}

const isEqual = (one: ReplayCounts, other: ReplayCounts) =>
  one.lost === other.lost && one.editedKept === other.editedKept && one.last.size === other.last.size;

/**
 * Replays the history of this repository: patterns stand in for rules, and the diff tells which findings should have
 * kept their id.
 */
export const benchTracking: Bench = async ({ scale, log }: BenchOptions) => {
  const commits = commitsOf(Math.max(2, Math.round(SNAPSHOTS * scale)));
  if (commits.length < 2) {
    log('skipped: the checkout has no history');
    return [];
  }
  const snapshots = readSnapshots(commits);
  log(`${commits.length} snapshots, ${snapshots.at(-1)?.hits.length} results in the last one`);
  const bench = await ImportBench.open();
  const figures: Figure[] = [];
  try {
    const target = targetOf(bench);
    for (const variant of Object.keys(VARIANTS) as Variant[]) {
      const inOrder = await replay(target, snapshots, { variant });
      const isIndependent = isEqual(inOrder, await replay(target, snapshots, { variant, isShuffled: true }));
      log(`${variant}: ${inOrder.lost} of ${inOrder.survived} lost`);
      figures.push(...figuresOf(variant, inOrder), {
        name: `${variant}: the order of results changes something`,
        value: isIndependent ? 0 : 1,
        unit: '',
        target: { atMost: 0 },
      });
    }
    return figures;
  } finally {
    await bench.close();
  }
};
