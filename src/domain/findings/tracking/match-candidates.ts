import { z } from 'zod';
import { TimeSlice } from '#kernel/concurrency/time-slice.ts';
import { RowExists } from '#kernel/db/query/row-schemas.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type AlignmentItem, align, pairByScope, type ScopedItem } from './align.ts';
import type { TrackingTarget } from './candidates.ts';
import { FINGERPRINT_KINDS } from './finding-identity.ts';
import { matchUnique } from './match-unique.ts';

const isUnmatchedResult = sql`not exists (select from matched where matched.n = incoming.n)`;
const isUnmatchedCandidate = sql`not exists (select from matched where matched.finding_id = candidate.finding_id)`;

interface PassOptions {
  group: { results: Sql; candidates: Sql };
  where: Sql;
  order: Sql;
}

/** Without a context, results are compared by a value that no digest has: only equality can be joined by hash. */
const contextOf = (table: Sql) => sql`coalesce(${table}.context_digest, '00000000-0000-0000-0000-000000000000')`;

/** Both sides of a pass: results and findings of one kind of fingerprint, numbered within each `group`. */
function sides(kind: number, { group, where, order }: PassOptions): Sql {
  return sql`
    results as (
      select incoming.n, staged.digest, incoming.path, tool.tool, ${contextOf(sql`incoming`)} as context,
        row_number() over (partition by staged.digest, incoming.path, tool.tool ${group.results}
          order by incoming.line, incoming.start_column, incoming.n) as rank,
        count(*) over (partition by staged.digest, incoming.path, tool.tool ${group.results}) as size
      from stage_finding as incoming join stage_fingerprint as staged using (n) join stage_tool as tool using (run)
      where staged.kind = ${kind} and not incoming.is_unique and ${isUnmatchedResult}
    ),
    candidates as (
      select candidate.finding_id, fingerprint.digest, candidate.path, candidate.tool,
        ${contextOf(sql`candidate`)} as context,
        row_number() over (partition by fingerprint.digest, candidate.path, candidate.tool ${group.candidates}
          order by ${order} candidate.line, candidate.start_column, candidate.finding_id) as rank,
        count(*) over (partition by fingerprint.digest, candidate.path, candidate.tool ${group.candidates}) as size
      from candidate join candidate_fingerprint as fingerprint using (finding_id)
      where fingerprint.kind = ${kind} and ${where} and ${isUnmatchedCandidate}
    )`;
}

const sameContext = { results: sql`, incoming.context_digest`, candidates: sql`, candidate.context_digest` };
const anyContext = { results: sql``, candidates: sql`` };

/** T1: equal fingerprint and context, and equal numbers on both sides: paired in file order. */
async function matchExactly(tx: Tx, kind: number): Promise<void> {
  await tx.run`
    with ${sides(kind, { group: sameContext, where: sql`candidate.is_detected`, order: sql`` })}
    insert into matched (n, finding_id, pass)
    select results.n, candidates.finding_id, 'exact'
    from results join candidates using (digest, path, tool, context, rank, size)
    on conflict do nothing`;
}

/** The simple case of T2: equal fingerprint and one on each side, with any context. */
async function matchSingles(tx: Tx, kind: number): Promise<void> {
  await tx.run`
    with ${sides(kind, { group: anyContext, where: sql`candidate.is_detected`, order: sql`` })}
    insert into matched (n, finding_id, pass)
    select results.n, candidates.finding_id, 'same' from results join candidates using (digest, path, tool)
    where results.size = 1 and candidates.size = 1
    on conflict do nothing`;
}

/** Findings of other refs and tools, and closed ones: first by context, then by order. */
async function matchElsewhere(tx: Tx, kind: number): Promise<void> {
  const order = sql`candidate.is_open desc,`;
  await tx.run`
    with ${sides(kind, { group: sameContext, where: sql`not candidate.is_detected`, order })}
    insert into matched (n, finding_id, pass)
    select results.n, candidates.finding_id, 'exact'
    from results join candidates using (digest, path, tool, context, rank)
    on conflict do nothing`;
  await tx.run`
    with ${sides(kind, { group: anyContext, where: sql`not candidate.is_detected`, order })}
    insert into matched (n, finding_id, pass)
    select results.n, candidates.finding_id, 'same' from results join candidates using (digest, path, tool, rank)
    on conflict do nothing`;
}

const SIDE = z.enum(['results', 'candidates']);
const AlignedRow = z.object({
  side: SIDE,
  digest: z.string(),
  path: z.string(),
  id: z.string(),
  line: z.number(),
  text: z.string(),
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
const KindRow = z.object({ kind: z.number() });

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

interface AlignedSide extends AlignmentItem {
  id: string;
}

/** T2: equal fingerprint, several on either side: aligned by their surroundings. */
async function matchAligned(tx: Tx, { deployment, project }: TrackingTarget, kind: number): Promise<void> {
  const rows = await tx.all(AlignedRow)`
    with ${sides(kind, { group: anyContext, where: sql`candidate.is_detected`, order: sql`` })},
    common as (select digest, path, tool from results intersect select digest, path, tool from candidates)
    select 'results' as side, common.digest, common.path, results.rank, incoming.n::text as id, incoming.line,
      coalesce(incoming.context, incoming.message) as text
    from results join common using (digest, path, tool) join stage_finding as incoming using (n)
    union all
    select 'candidates', common.digest, common.path, candidates.rank, finding.id::text, candidate.line,
      coalesce(finding.context, finding.message)
    from candidates join common using (digest, path, tool) join candidate using (finding_id)
    join finding on finding.deployment_id = ${deployment} and finding.project_id = ${project}
      and finding.id = candidate.finding_id
    order by digest, path, side, rank`;
  const groups = new Map<string, { results: AlignedSide[]; candidates: AlignedSide[] }>();
  for (const { side, digest, path, ...item } of rows) {
    const key = `${digest} ${path}`;
    const group = groups.get(key) ?? { results: [], candidates: [] };
    groups.set(key, group);
    group[side].push(item);
  }
  const pairs: MatchedPair[] = [];
  const slice = new TimeSlice();
  for (const { results, candidates } of groups.values()) {
    for (const [before, after] of align(candidates, results))
      pairs.push({ n: Number(results[after]?.id), finding: candidates[before]?.id ?? '', pass: 'aligned' });
    await slice.yieldIfUsed();
  }
  await insertPairs(tx, pairs);
}

interface ScopedSide extends ScopedItem {
  id: string;
}

/** T3 and T4: results without a matching fingerprint, by scope and similarity. */
async function matchByScope(tx: Tx, { deployment, project }: TrackingTarget): Promise<void> {
  const rows = await tx.all(ScopedRow)`
    with results as (
      select * from stage_finding as incoming where scope is not null and not is_unique and ${isUnmatchedResult}
    ),
    candidates as (
      select finding.id, candidate.path, candidate.line, finding.scope, finding.code, finding.rule, finding.product
      from candidate join finding on finding.deployment_id = ${deployment} and finding.project_id = ${project}
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
  const groups = new Map<string, { results: ScopedSide[]; candidates: ScopedSide[] }>();
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

/** Kinds that several findings may share, from strict to loose. */
const SHARED_KINDS = [FINGERPRINT_KINDS.tool, FINGERPRINT_KINDS.code, FINGERPRINT_KINDS.rule];

/** True while unmatched results and unmatched candidates remain. */
async function hasUnmatched(tx: Tx): Promise<boolean> {
  const row = await tx.one(RowExists)`
    select exists (select from stage_finding as incoming where ${isUnmatchedResult})
      and exists (select from candidate where ${isUnmatchedCandidate}) as is_any`;
  return row?.is_any === true;
}

/** The kinds of fingerprints that unmatched results and candidates still share; other kinds cannot match anything. */
async function remainingKinds(tx: Tx): Promise<number[]> {
  const rows = await tx.all(KindRow)`
    select distinct staged.kind from stage_finding as incoming join stage_fingerprint as staged using (n)
    where not incoming.is_unique and ${isUnmatchedResult} and staged.digest in (
      select digest from candidate_fingerprint
      where not exists (select from matched where matched.finding_id = candidate_fingerprint.finding_id))`;
  const found = new Set(rows.map(({ kind }) => kind));
  return SHARED_KINDS.filter((kind) => found.has(kind));
}

/** Matches results to candidates one to one, from strict to loose passes; unmatched results are new. */
export async function matchCandidates(tx: Tx, target: TrackingTarget): Promise<void> {
  await matchUnique(tx, target);
  for (const kind of await remainingKinds(tx)) await matchExactly(tx, kind);
  await tx.run`analyze matched`;
  if (!(await hasUnmatched(tx))) return;
  for (const kind of await remainingKinds(tx)) {
    await matchSingles(tx, kind);
    await matchAligned(tx, target, kind);
  }
  await matchByScope(tx, target);
  for (const kind of await remainingKinds(tx)) await matchElsewhere(tx, kind);
}
