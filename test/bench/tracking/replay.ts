import { hash } from 'node:crypto';
import { ComparedText } from '#domain/findings/tracking/pairing/compared-text.ts';
import type { Counts } from '../import-bench.ts';
import { type Continuity, expectedContinuity } from './expected-continuity.ts';
import { GitHistory } from './git-history.ts';
import { type Hit, hitsOf, ruleIds } from './stand-in-rules.ts';

/** What a tool writes about a hit besides rule, path and line. */
export const VARIANTS = {
  context: ['snippet', 'context'],
  'no context': ['snippet'],
  'no snippet': [],
  'coarse tool fingerprint': ['snippet', 'context', 'fingerprint'],
  'logical location': ['snippet', 'context', 'scope'],
} as const satisfies Record<string, readonly ('snippet' | 'context' | 'fingerprint' | 'scope')[]>;
export type Variant = keyof typeof VARIANTS;

/** A gone finding that continues where the surroundings are less alike than this has been glued to a stranger. */
const MIN_ALIKE = 0.5;

function resultOf(hit: Hit, parts: readonly string[]): object {
  const { rule, path, line, column, code, context, scope } = hit;
  return {
    ruleId: rule,
    message: { text: `Found by ${rule}.` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: path },
          region: {
            startLine: line,
            startColumn: column,
            ...(parts.includes('snippet') && { snippet: { text: code } }),
          },
          ...(parts.includes('context') && {
            contextRegion: { startLine: Math.max(1, line - 2), snippet: { text: context } },
          }),
        },
        ...(parts.includes('scope') && { logicalLocations: [{ fullyQualifiedName: scope }] }),
      },
    ],
    ...(parts.includes('fingerprint') && {
      partialFingerprints: { lineHash: hash('sha256', code.replaceAll(/\s/g, ''), 'hex').slice(0, 16) },
    }),
  };
}

function* reportOf(hits: readonly Hit[], variant: Variant): Generator<Buffer> {
  const rules = ruleIds.map((id) => ({ id }));
  yield Buffer.from(
    `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"replay","rules":${JSON.stringify(rules)}}},"results":[`,
  );
  for (const [index, hit] of hits.entries())
    yield Buffer.from((index === 0 ? '' : ',') + JSON.stringify(resultOf(hit, VARIANTS[variant])));
  yield Buffer.from(']}]}');
}

/** Results in an order that has nothing to do with their position, the same in every run. */
const shuffled = (hits: readonly Hit[]): Hit[] =>
  hits
    .map((hit) => ({ hit, key: hash('sha256', `${hit.rule} ${hit.code} ${hit.path}:${hit.line}`, 'hex') }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ hit }) => hit);

/** Where the reports go, and where the ids of their results come from. */
export interface ReplayTarget {
  send(report: Iterable<Buffer>, target: { project: string; commit: string }): Promise<Counts>;
  /** The id of each open finding of a project by `positionOf`. */
  openFindings(project: string): Promise<Map<string, string>>;
}

export const positionOf = ({ rule, path, line }: Pick<Hit, 'rule' | 'path' | 'line'>) => `${rule} ${path}:${line}`;

interface Snapshot {
  commit: string;
  hits: Hit[];
  /** What is expected of the hits of the snapshot before. */
  continuity: Continuity[];
}

/** Reads the snapshots once; all variants replay the same ones. */
export function readSnapshots(commits: readonly string[]): Snapshot[] {
  const history = new GitHistory();
  const snapshots: Snapshot[] = [];
  for (const commit of commits) {
    const hits = hitsOf(history.snapshotOf(commit));
    const previous = snapshots.at(-1);
    const continuity = previous ? expectedContinuity(previous.hits, hits, history.diffOf(previous.commit, commit)) : [];
    snapshots.push({ commit, hits, continuity });
  }
  return snapshots;
}

/** What became of the findings in changed files. */
export interface ReplayCounts {
  /** Of files that kept their path. */
  survived: number;
  /** Closed and opened again, or continued by another one. */
  lost: number;
  edited: number;
  editedKept: number;
  renamed: number;
  renamedKept: number;
  gone: number;
  /** Gone, and continued by a result whose surroundings are unlike. */
  falselyContinued: number;
  /** The finding of each position after the last snapshot. */
  last: Map<string, string>;
}

function judge(
  counts: ReplayCounts,
  { continuity, hits }: Snapshot,
  [before, after]: [Map<string, string>, Map<string, string>],
): void {
  const hitsById = new Map(
    hits.flatMap((hit) => {
      const id = after.get(positionOf(hit));
      return id === undefined ? [] : [[id, hit] as const];
    }),
  );
  for (const { before: old, after: current, kind, isRenamed } of continuity) {
    const id = before.get(positionOf(old)) ?? '';
    const isKept = current !== undefined && after.get(positionOf(current)) === id;
    if (kind === 'survived' && !isRenamed) {
      counts.survived++;
      if (!isKept) counts.lost++;
    }
    if (kind === 'edited') {
      counts.edited++;
      if (isKept) counts.editedKept++;
    }
    if (kind === 'survived' && isRenamed) {
      counts.renamed++;
      if (isKept) counts.renamedKept++;
    }
    if (kind !== 'gone') continue;
    counts.gone++;
    const continued = hitsById.get(id);
    if (continued && new ComparedText(old.context).similarityTo(new ComparedText(continued.context)) < MIN_ALIKE)
      counts.falselyContinued++;
  }
}

/** Imports the snapshots one after the other and counts what became of the findings. */
export async function replay(
  target: ReplayTarget,
  snapshots: readonly Snapshot[],
  { variant, isShuffled = false }: { variant: Variant; isShuffled?: boolean },
): Promise<ReplayCounts> {
  const project = `${variant}${isShuffled ? ' shuffled' : ''}`;
  const counts: ReplayCounts = {
    survived: 0,
    lost: 0,
    edited: 0,
    editedKept: 0,
    renamed: 0,
    renamedKept: 0,
    gone: 0,
    falselyContinued: 0,
    last: new Map(),
  };
  for (const snapshot of snapshots) {
    const hits = isShuffled ? shuffled(snapshot.hits) : snapshot.hits;
    await target.send(reportOf(hits, variant), { project, commit: snapshot.commit });
    const open = await target.openFindings(project);
    judge(counts, snapshot, [counts.last, open]);
    counts.last = open;
  }
  return counts;
}
