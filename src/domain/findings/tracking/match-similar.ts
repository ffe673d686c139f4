import { z } from 'zod';
import { TimeSlice } from '#kernel/concurrency/time-slice.ts';
import { type Sql, sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { TrackingTarget } from './candidates.ts';
import { align } from './pairing/align.ts';
import { ComparedText } from './pairing/compared-text.ts';
import { type LineAnchor, LineShifts } from './pairing/line-shifts.ts';
import { pairByScope, type ScopedItem } from './pairing/pair-by-scope.ts';
import { pairEdited } from './pairing/pair-edited.ts';
import { anyContext, isUnmatchedCandidate, isUnmatchedResult, sides } from './pass-sides.ts';

const SIDE = z.enum(['results', 'candidates']);
const AlignedRow = z.object({
  side: SIDE,
  label: z.string(),
  path: z.string(),
  tool: z.string(),
  id: z.string(),
  line: z.number(),
  text: z.string(),
});
const AnchorRow = z.object({ path: z.string(), before: z.number(), after: z.number() });
const EditedRow = z.object({
  side: SIDE,
  id: z.string(),
  product: z.string(),
  rule: z.string(),
  path: z.string(),
  tool: z.string(),
  line: z.number(),
  code: z.string(),
  context: z.string(),
});
const ScopedRow = z.object({
  side: SIDE,
  id: z.string(),
  product: z.string(),
  rule: z.string(),
  path: z.string(),
  scope: z.string(),
  line: z.number(),
  text: z.string(),
});

interface MatchedPair {
  n: number;
  finding: string;
  pass: string;
}

async function insertPairs(tx: Tx, pairs: readonly MatchedPair[]): Promise<void> {
  if (pairs.length === 0) return;
  await tx.run`
    insert into matched (n, finding_id, pass)
    select * from unnest(${pairs.map(({ n }) => n)}::integer[], ${pairs.map(({ finding }) => finding)}::bigint[],
      ${pairs.map(({ pass }) => pass)}::text[])
    on conflict do nothing`;
}

/** Both sides of a comparison. */
interface Sides<Item> {
  results: Item[];
  candidates: Item[];
}

/** Collects rows into groups, each with both sides. */
function groupSides<Row extends { side: z.output<typeof SIDE> }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Map<string, Sides<Row>> {
  const groups = new Map<string, Sides<Row>>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key) ?? { results: [], candidates: [] };
    groups.set(key, group);
    group[row.side].push(row);
  }
  return groups;
}

/** The line shifts of files, from what was matched in them and from what has not changed. */
async function lineShiftsOf(
  tx: Tx,
  { deployment, analysis }: TrackingTarget,
  rows: readonly { path: string }[],
): Promise<(path: string) => LineShifts> {
  const paths = [...new Set(rows.map(({ path }) => path))];
  const found = await tx.all(AnchorRow)`
    select incoming.path, candidate.line as before, incoming.line as after
    from matched join stage_finding as incoming using (n) join candidate using (finding_id)
    where incoming.path = any(${paths}::text[]) and candidate.path = incoming.path
    union
    select detection.path, detection.line, detection.line
    from unchanged_finding join detection on detection.deployment_id = ${unestimated(deployment)}
      and detection.analysis_id = ${analysis} and detection.finding_id = unchanged_finding.finding_id
    where unchanged_finding.path = any(${paths}::text[])`;
  const anchors = new Map<string, LineAnchor[]>();
  for (const { path, ...anchor } of found) {
    const ofFile = anchors.get(path);
    if (ofFile) ofFile.push(anchor);
    else anchors.set(path, [anchor]);
  }
  return (path) => new LineShifts(anchors.get(path) ?? []);
}

/** T2: equal fingerprint, several on either side: the results of a file are aligned. */
export async function matchAligned(tx: Tx, target: TrackingTarget, kind: number): Promise<void> {
  const { deployment, project } = target;
  const rows = await tx.all(AlignedRow)`
    with ${sides(kind, { group: anyContext, where: sql`candidate.is_detected`, order: sql`` })},
    common as (select digest, path, tool from results intersect select digest, path, tool from candidates)
    select 'results' as side, common.digest as label, common.path, common.tool, incoming.n::text as id, incoming.line,
      incoming.start_column, incoming.n::bigint as number, coalesce(incoming.context, incoming.message) as text
    from results join common using (digest, path, tool) join stage_finding as incoming using (n)
    union all
    select 'candidates', common.digest, common.path, common.tool, finding.id::text, candidate.line,
      candidate.start_column, finding.id, coalesce(finding.context, finding.message)
    from candidates join common using (digest, path, tool) join candidate using (finding_id)
    join finding on finding.deployment_id = ${unestimated(deployment)} and finding.project_id = ${project}
      and finding.id = candidate.finding_id
    order by path, tool, side, line, start_column, label, number`;
  if (rows.length === 0) return;
  const shiftsOf = await lineShiftsOf(tx, target, rows);
  const pairs: MatchedPair[] = [];
  const slice = new TimeSlice();
  for (const { results, candidates } of groupSides(rows, ({ path, tool }) => `${tool} ${path}`).values()) {
    const path = results[0]?.path ?? '';
    for (const [before, after] of align(candidates, results, shiftsOf(path)))
      pairs.push({ n: Number(results[after]?.id), finding: candidates[before]?.id ?? '', pass: 'aligned' });
    await slice.yieldIfUsed();
  }
  await insertPairs(tx, pairs);
}

/** Results whose code was edited: the same rule and file, with similar code and similar surroundings. */
export async function matchEdited(tx: Tx, target: TrackingTarget): Promise<void> {
  const { deployment, project } = target;
  const rows = await tx.all(EditedRow)`
    with results as (
      select incoming.*, tool.tool from stage_finding as incoming join stage_tool as tool using (run)
      where incoming.code is not null and not incoming.is_unique and ${isUnmatchedResult}
    ),
    candidates as (
      select finding.id, candidate.path, candidate.line, candidate.tool, finding.code, finding.context, finding.rule,
        finding.product
      from candidate join finding on finding.deployment_id = ${unestimated(deployment)}
        and finding.project_id = ${project}
        and finding.id = candidate.finding_id
      where candidate.is_detected and finding.code is not null and ${isUnmatchedCandidate}
    ),
    common as (select rule, path, tool from results intersect select rule, path, tool from candidates)
    select 'results' as side, n::text as id, product, rule, path, tool, line, code, coalesce(context, '') as context
    from results join common using (rule, path, tool)
    union all
    select 'candidates', id::text, product, rule, path, tool, line, code, coalesce(context, '')
    from candidates join common using (rule, path, tool)
    order by side, path, rule, line, id`;
  if (rows.length === 0) return;
  const shiftsOf = await lineShiftsOf(tx, target, rows);
  const pairs: MatchedPair[] = [];
  const slice = new TimeSlice();
  const groups = groupSides(rows, ({ product, rule, path, tool }) => JSON.stringify([product, rule, path, tool]));
  for (const { results, candidates } of groups.values()) {
    for (const [before, after] of pairEdited(candidates, results, shiftsOf(results[0]?.path ?? '')))
      pairs.push({ n: Number(results[after]?.id), finding: candidates[before]?.id ?? '', pass: 'edited' });
    await slice.yieldIfUsed();
  }
  await insertPairs(tx, pairs);
}

interface ScopedSide extends ScopedItem {
  id: string;
}

/** T3 and T4: results without a matching fingerprint, by scope and similarity. */
export async function matchByScope(tx: Tx, { deployment, project }: TrackingTarget): Promise<void> {
  const rows = await tx.all(ScopedRow)`
    with results as (
      select * from stage_finding as incoming where scope is not null and not is_unique and ${isUnmatchedResult}
    ),
    candidates as (
      select finding.id, candidate.path, candidate.line, finding.scope, finding.code, finding.rule, finding.product
      from candidate join finding on finding.deployment_id = ${unestimated(deployment)}
        and finding.project_id = ${project}
        and finding.id = candidate.finding_id
      where candidate.is_detected and finding.scope is not null and ${isUnmatchedCandidate}
    )
    select 'results' as side, n::text as id, product, rule, path, scope, line, coalesce(code, message) as text
    from results
    where exists (select from candidates where candidates.rule = results.rule and candidates.path = results.path)
    union all
    select 'candidates', id::text, product, rule, path, scope, line, coalesce(code, '')
    from candidates
    where exists (select from results where candidates.rule = results.rule and candidates.path = results.path)
    order by side, path, rule, scope, line, id`;
  const groups = new Map<string, Sides<ScopedSide>>();
  const starts = new Map<string, number>();
  for (const { side, product, rule, path, ...item } of rows) {
    const key = JSON.stringify([product, rule, path]);
    const group = groups.get(key) ?? { results: [], candidates: [] };
    groups.set(key, group);
    const scopeKey = JSON.stringify([side, key, item.scope]);
    const start = starts.get(scopeKey) ?? item.line;
    starts.set(scopeKey, start);
    group[side].push({ ...item, offset: item.line - start });
  }
  const pairs: MatchedPair[] = [];
  const slice = new TimeSlice();
  for (const { results, candidates } of groups.values()) {
    for (const [before, after, pass] of pairByScope(candidates, results))
      pairs.push({ n: Number(results[after]?.id), finding: candidates[before]?.id ?? '', pass });
    await slice.yieldIfUsed();
  }
  await insertPairs(tx, pairs);
}

const MIN_SIMILARITY_ELSEWHERE = 0.6;
const ElsewhereRow = z.object({ n: z.number(), finding: z.string(), before: z.string(), after: z.string() });

/** Results and findings of other refs, or closed ones, that a pass has ranked alike: only if their code is similar. */
export async function matchSimilarElsewhere(tx: Tx, { deployment }: TrackingTarget, sidesOfPass: Sql): Promise<void> {
  const pairs = sql`
    from results join candidates using (digest, path, tool, rank) join stage_finding as incoming using (n)
    join finding on finding.deployment_id = ${unestimated(deployment)} and finding.id = candidates.finding_id`;
  await tx.run`
    with ${sidesOfPass}
    insert into matched (n, finding_id, pass)
    select n, candidates.finding_id, 'same' ${pairs}
    where incoming.code = finding.code or incoming.code is null or finding.code is null
    on conflict do nothing`;
  const rows = await tx.all(ElsewhereRow)`
    with ${sidesOfPass}
    select n, finding.id::text as finding, finding.code as before, incoming.code as after ${pairs}
    where incoming.code <> finding.code`;
  const slice = new TimeSlice();
  const similar: MatchedPair[] = [];
  for (const { n, finding, before, after } of rows) {
    if (new ComparedText(before).similarityTo(new ComparedText(after)) >= MIN_SIMILARITY_ELSEWHERE)
      similar.push({ n, finding, pass: 'same' });
    await slice.yieldIfUsed();
  }
  await insertPairs(tx, similar);
}
