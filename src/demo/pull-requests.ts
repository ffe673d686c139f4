import { exactMatches } from '#domain/findings/filter/text-match.ts';
import * as episodes from '#domain/findings/guardrails/episodes.ts';
import { triageFindings } from '#domain/findings/triage/triage.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { DemoContext, DemoStep } from './context.ts';
import type { CodeHit } from './generated-hits.ts';
import { reportedFinding } from './hit-reports.ts';
import { importScan, type PlannedScan } from './import-scan.ts';
import { snippetsOf } from './material.ts';
import type { DemoProject } from './projects.ts';
import type { SeededRandom } from './random.ts';
import { NOTES, NOUNS, VERBS } from './vocabulary.ts';

type Fate = 'fixed' | 'open' | 'silenced' | 'ignored' | 'provisionally_ignored';

interface PullHit extends CodeHit {
  fate: Fate;
}

/** A made-up pull request, with what scanners found in it and what became of that. */
export interface PullRequest {
  estate: DemoProject;
  number: number;
  title: string;
  author: string;
  ago: number;
  hits: PullHit[];
}

const FATES: readonly { fate: Fate; weight: number }[] = [
  { fate: 'fixed', weight: 45 },
  { fate: 'open', weight: 20 },
  { fate: 'silenced', weight: 13 },
  { fate: 'ignored', weight: 12 },
  { fate: 'provisionally_ignored', weight: 10 },
];
const AUTHORS = ['priya', 'jonas', 'aiko', 'tomas'];
const MERGED_SHARE = 0.6;
const DECIDED_AFTER_DAYS = 0.2;
const FIXED_AFTER_DAYS = 0.45;
const COMMENTED_AFTER_MS = 90_000;

function pullHit(random: SeededRandom, estate: DemoProject, { number, index, isMerged, ago }: HitWish): PullHit {
  const snippet = random.pickWeighted(snippetsOf(estate.language));
  const noun = random.pick(NOUNS);
  const words = { noun: `${noun}${number}`, verb: random.pick(VERBS) };
  const { fate } = random.pickWeighted(FATES);
  const path = `src/change-${number}/${noun}-${index}.${estate.language === 'javascript' ? 'ts' : estate.language}`;
  // What was merged unfixed is seen on the primary branch by its next scan.
  const landing = isMerged && fate !== 'fixed' ? estate.scans.find((scan) => scan < ago - 1) : undefined;
  const lives = landing === undefined ? [] : [{ from: landing, to: 0 }];
  const line = random.whole(10, 180);
  const key = `${path} ${snippet.rule} ${words.noun}`;
  return { kind: 'code', key, path, line, lives, snippet, words, roll: random.share(), fate };
}

interface HitWish {
  number: number;
  index: number;
  isMerged: boolean;
  ago: number;
}

/** The pull requests of a project, oldest first. */
export function pullRequestsOf(estate: DemoProject, random: SeededRandom): PullRequest[] {
  const newest = (estate.scans.at(-1) ?? 0) + 0.8;
  return Array.from({ length: estate.pullRequests }, (_, n): PullRequest => {
    const number = 100 * (estate.index + 1) + 7 * n + 3;
    const share = (n + random.share()) / estate.pullRequests;
    const ago = 170 - share * (170 - newest);
    const isMerged = random.happens(MERGED_SHARE);
    const count = random.whole(2, 5);
    return {
      estate,
      number,
      title: `${random.pick(['Add', 'Rework', 'Speed up', 'Move'])} ${random.pick(NOUNS)} ${random.pick(VERBS)}`,
      author: random.pick(AUTHORS),
      ago,
      hits: Array.from({ length: count }, (__, index) => pullHit(random, estate, { number, index, isMerged, ago })),
    };
  });
}

async function scanOf(
  tx: Tx,
  context: DemoContext,
  { pull, ago, hits }: { pull: PullRequest; ago: number; hits: PullHit[] },
) {
  const { estate, number, title, author } = pull;
  const rules = await context.rules(tx, await context.project(tx, estate.name));
  const scan: PlannedScan = {
    project: estate.name,
    ago,
    mode: 'partial',
    paths: pull.hits.map(({ path }) => path),
    findings: hits.map((hit) => reportedFinding(estate.name, hit, rules)),
    pullRequest: { number, title, author },
  };
  return importScan(tx, context, scan);
}

/** Comments reach the developer a little later; of some it was decided to keep quiet. */
async function comment(tx: Tx, context: DemoContext, pull: PullRequest): Promise<void> {
  const { deployment } = context;
  const at = context.daysAgo(pull.ago);
  const found = await tx.rows`
    select id, path from finding
    where deployment_id = ${deployment} and project_id = ${await context.project(tx, pull.estate.name)}
      and path = any(${pull.hits.map(({ path }) => path)}::text[])
    order by path`;
  const paths = new Map(found.map((row) => [`finding:${row['id']}`, String(row['path'])]));
  const started = await tx.rows`
    select id, issue_key from guardrail_episode
    where deployment_id = ${deployment} and issue_key = any(${[...paths.keys()]}::text[]) and started_at = ${at}
      and is_eligible
    order by id`;
  const rows = started.map((row) => ({ id: row['id'], path: paths.get(String(row['issue_key'])) ?? '' }));
  const quiet = new Set(pull.hits.filter(({ fate }) => fate === 'silenced').map(({ path }) => path));
  const later = new Date(at.getTime() + COMMENTED_AFTER_MS);
  const shown = rows.filter((row) => !quiet.has(row.path));
  await episodes.markEpisodesShown(
    tx,
    deployment,
    shown.map(({ id }) => ({ episode: String(id), at: later })),
  );
  for (const row of rows.filter((one) => !shown.includes(one)))
    await episodes.markEpisodeSilenced(tx, deployment, {
      episode: String(row.id),
      at: later,
      reason: 'too many comments',
    });
}

async function decide(tx: Tx, context: DemoContext, pull: PullRequest): Promise<void> {
  const caller = await context.person(tx, 'mara');
  const asking = { caller, now: context.daysAgo(pull.ago - DECIDED_AFTER_DAYS) };
  for (const { fate, path } of pull.hits) {
    if (fate !== 'ignored' && fate !== 'provisionally_ignored') continue;
    const filter = { projects: exactMatches([pull.estate.name]), paths: exactMatches([path]), isAnywhere: true };
    const reason = fate === 'ignored' ? { reason: 'acceptable_risk' as const, note: NOTES.acceptableRisk[2] } : {};
    await triageFindings(tx, asking, { filter, decision: { state: fate, ...reason } });
  }
}

const isDecided = ({ fate }: PullHit) => fate === 'ignored' || fate === 'provisionally_ignored';

/** What happens in a pull request: a scan with comments, decisions, and a second scan after the fixes. */
export function stepsOfPullRequest(pull: PullRequest): DemoStep[] {
  const { ago, hits } = pull;
  const rest = hits.filter(({ fate }) => fate !== 'fixed');
  const first: DemoStep = {
    ago,
    run: async (tx, context) => {
      await scanOf(tx, context, { pull, ago, hits });
      await comment(tx, context, pull);
    },
  };
  const decisions: DemoStep = { ago: ago - DECIDED_AFTER_DAYS, run: (tx, context) => decide(tx, context, pull) };
  const fixedAgo = ago - FIXED_AFTER_DAYS;
  const second: DemoStep = {
    ago: fixedAgo,
    run: (tx, context) => scanOf(tx, context, { pull, ago: fixedAgo, hits: rest }),
  };
  return [first, ...(hits.some(isDecided) ? [decisions] : []), ...(rest.length < hits.length ? [second] : [])];
}
