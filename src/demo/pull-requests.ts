import { z } from 'zod';
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

const FindingPath = z.object({ id: z.string(), path: z.string() });
const StartedEpisode = z.object({ id: z.string(), issue_key: z.string() });

type Outcome = 'fixed' | 'open' | 'silenced' | 'ignored' | 'provisionally_ignored';

interface PullHit extends CodeHit {
  outcome: Outcome;
}

/** A made-up pull request with its findings and their outcomes. */
export interface PullRequest {
  demoProject: DemoProject;
  number: number;
  title: string;
  author: string;
  ago: number;
  hits: PullHit[];
}

const OUTCOMES: readonly { outcome: Outcome; weight: number }[] = [
  { outcome: 'fixed', weight: 45 },
  { outcome: 'open', weight: 20 },
  { outcome: 'silenced', weight: 13 },
  { outcome: 'ignored', weight: 12 },
  { outcome: 'provisionally_ignored', weight: 10 },
];
const AUTHORS = ['priya', 'jonas', 'aiko', 'tomas'];
const MERGED_SHARE = 0.6;
const DECIDED_AFTER_DAYS = 0.2;
const FIXED_AFTER_DAYS = 0.45;
const COMMENTED_AFTER_MS = 90_000;

function pullHit(
  random: SeededRandom,
  demoProject: DemoProject,
  { number, index, isMerged, ago }: PullHitOptions,
): PullHit {
  const snippet = random.pickWeighted(snippetsOf(demoProject.language));
  const noun = random.pick(NOUNS);
  const words = { noun: `${noun}${number}`, verb: random.pick(VERBS) };
  const { outcome } = random.pickWeighted(OUTCOMES);
  const extension = demoProject.language === 'javascript' ? 'ts' : demoProject.language;
  const path = `src/change-${number}/${noun}-${index}.${extension}`;
  // A finding that is merged unfixed appears in the next scan of the primary branch.
  const mergedScan = isMerged && outcome !== 'fixed' ? demoProject.scans.find((scan) => scan < ago - 1) : undefined;
  const lives = mergedScan === undefined ? [] : [{ from: mergedScan, to: 0 }];
  const line = random.whole(10, 180);
  const key = `${path} ${snippet.rule} ${words.noun}`;
  return { kind: 'code', key, path, line, lives, snippet, words, roll: random.share(), outcome };
}

interface PullHitOptions {
  number: number;
  index: number;
  isMerged: boolean;
  ago: number;
}

/** The pull requests of a project, oldest first. */
export function pullRequestsOf(demoProject: DemoProject, random: SeededRandom): PullRequest[] {
  const newest = (demoProject.scans.at(-1) ?? 0) + 0.8;
  return Array.from({ length: demoProject.pullRequests }, (_, n): PullRequest => {
    const number = 100 * (demoProject.index + 1) + 7 * n + 3;
    const share = (n + random.share()) / demoProject.pullRequests;
    const ago = 170 - share * (170 - newest);
    const isMerged = random.happens(MERGED_SHARE);
    const count = random.whole(2, 5);
    return {
      demoProject,
      number,
      title: `${random.pick(['Add', 'Rework', 'Speed up', 'Move'])} ${random.pick(NOUNS)} ${random.pick(VERBS)}`,
      author: random.pick(AUTHORS),
      ago,
      hits: Array.from({ length: count }, (__, index) =>
        pullHit(random, demoProject, { number, index, isMerged, ago }),
      ),
    };
  });
}

async function scanOf(
  tx: Tx,
  context: DemoContext,
  { pull, ago, hits }: { pull: PullRequest; ago: number; hits: PullHit[] },
) {
  const { demoProject, number, title, author } = pull;
  const rules = await context.rules(tx, await context.project(tx, demoProject.name));
  const scan: PlannedScan = {
    project: demoProject.name,
    ago,
    mode: 'partial',
    paths: pull.hits.map(({ path }) => path),
    findings: hits.map((hit) => reportedFinding(demoProject.name, hit, rules)),
    pullRequest: { number, title, author },
  };
  return importScan(tx, context, scan);
}

/** Comments appear a little later; some are suppressed. */
async function comment(tx: Tx, context: DemoContext, pull: PullRequest): Promise<void> {
  const { deployment } = context;
  const at = context.daysAgo(pull.ago);
  const found = await tx.all(FindingPath)`
    select id, path from finding
    where deployment_id = ${deployment} and project_id = ${await context.project(tx, pull.demoProject.name)}
      and path = any(${pull.hits.map(({ path }) => path)}::text[])
    order by path`;
  const paths = new Map(found.map(({ id, path }) => [`finding:${id}`, path]));
  const started = await tx.all(StartedEpisode)`
    select id, issue_key from guardrail_episode
    where deployment_id = ${deployment} and issue_key = any(${[...paths.keys()]}::text[]) and started_at = ${at}
      and is_eligible
    order by id`;
  const rows = started.map(({ id, issue_key: issueKey }) => ({ id, path: paths.get(issueKey) ?? '' }));
  const suppressed = new Set(pull.hits.filter(({ outcome }) => outcome === 'silenced').map(({ path }) => path));
  const later = new Date(at.getTime() + COMMENTED_AFTER_MS);
  const shown = rows.filter((row) => !suppressed.has(row.path));
  await episodes.markEpisodesShown(
    tx,
    deployment,
    shown.map(({ id }) => ({ episode: id, at: later })),
  );
  for (const row of rows.filter((episode) => !shown.includes(episode)))
    await episodes.markEpisodeSilenced(tx, deployment, {
      episode: String(row.id),
      at: later,
      reason: 'too many comments',
    });
}

async function decide(tx: Tx, context: DemoContext, pull: PullRequest): Promise<void> {
  const caller = await context.person(tx, 'mara');
  const actor = { caller, now: context.daysAgo(pull.ago - DECIDED_AFTER_DAYS) };
  for (const { outcome, path } of pull.hits) {
    if (outcome !== 'ignored' && outcome !== 'provisionally_ignored') continue;
    const filter = { projects: exactMatches([pull.demoProject.name]), paths: exactMatches([path]), isAnywhere: true };
    const reason = outcome === 'ignored' ? { reason: 'acceptable_risk' as const, note: NOTES.acceptableRisk[2] } : {};
    await triageFindings(tx, actor, { filter, decision: { state: outcome, ...reason } });
  }
}

const isDecided = ({ outcome }: PullHit) => outcome === 'ignored' || outcome === 'provisionally_ignored';

/** The steps of a pull request: a scan with comments, decisions, and a second scan after the fixes. */
export function stepsOfPullRequest(pull: PullRequest): DemoStep[] {
  const { ago, hits } = pull;
  const rest = hits.filter(({ outcome }) => outcome !== 'fixed');
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
