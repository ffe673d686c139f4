import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type AlignmentItem, align, pairByScope, type ScopedItem } from './align.ts';
import type { TrackingTarget } from './candidates.ts';
import { FINGERPRINT_KINDS } from './finding-identity.ts';

/**
 * Advisories and secrets are unique per project: a finding matches the result at its old location, otherwise the first
 * one; further results are duplicates.
 */
async function matchUnique(tx: Tx): Promise<void> {
  await tx.run`
    insert into pair (n, finding_id, pass)
    select distinct on (known_print.finding_id) incoming.n, known_print.finding_id, 'identity'
    from stage_finding as incoming join stage_print as print using (n) join known_print using (digest)
    join known using (finding_id)
    where incoming.is_unique
    order by known_print.finding_id, (incoming.path, incoming.line) = (known.path, known.line) desc, incoming.path,
      incoming.line, incoming.n
    on conflict do nothing`;
  await tx.run`
    delete from stage_finding as incoming using stage_print as print, stage_print as other, stage_finding as first
    where incoming.is_unique and print.n = incoming.n and other.digest = print.digest and other.n <> incoming.n
      and first.n = other.n and incoming.n not in (select n from pair)
      and (first.n in (select n from pair)
        or (first.path, first.line, first.n) < (incoming.path, incoming.line, incoming.n))`;
}

const isLeft = sql`not exists (select from pair where pair.n = incoming.n)`;
const isUnmatched = sql`not exists (select from pair where pair.finding_id = known.finding_id)`;

/** Both sides of a pass: results and findings of one kind of fingerprint, numbered within each `group`. */
function sides(kind: number, { group, where, order }: { group: { mine: Sql; theirs: Sql }; where: Sql; order: Sql }) {
  return sql`
    mine as (
      select incoming.n, print.digest, incoming.path, tool.tool, incoming.context_digest,
        row_number() over (partition by print.digest, incoming.path, tool.tool ${group.mine}
          order by incoming.line, incoming.start_column, incoming.n) as rank,
        count(*) over (partition by print.digest, incoming.path, tool.tool ${group.mine}) as size
      from stage_finding as incoming join stage_print as print using (n) join stage_tool as tool using (run)
      where print.kind = ${kind} and not incoming.is_unique and ${isLeft}
    ),
    theirs as (
      select known.finding_id, known_print.digest, known.path, known.tool, known.context_digest,
        row_number() over (partition by known_print.digest, known.path, known.tool ${group.theirs}
          order by ${order} known.line, known.start_column, known.finding_id) as rank,
        count(*) over (partition by known_print.digest, known.path, known.tool ${group.theirs}) as size
      from known join known_print using (finding_id)
      where known_print.kind = ${kind} and ${where} and ${isUnmatched}
    )`;
}

const sameContext = { mine: sql`, incoming.context_digest`, theirs: sql`, known.context_digest` };
const anyContext = { mine: sql``, theirs: sql`` };

/** T1: equal fingerprint and context, and equal numbers on both sides: paired in file order. */
async function matchExactly(tx: Tx, kind: number): Promise<void> {
  await tx.run`
    with ${sides(kind, { group: sameContext, where: sql`known.is_here`, order: sql`` })}
    insert into pair (n, finding_id, pass)
    select mine.n, theirs.finding_id, 'exact' from mine join theirs using (digest, path, tool, rank, size)
    where mine.context_digest is not distinct from theirs.context_digest
    on conflict do nothing`;
}

/** The simple case of T2: equal fingerprint and one on each side, with any context. */
async function matchSingles(tx: Tx, kind: number): Promise<void> {
  await tx.run`
    with ${sides(kind, { group: anyContext, where: sql`known.is_here`, order: sql`` })}
    insert into pair (n, finding_id, pass)
    select mine.n, theirs.finding_id, 'same' from mine join theirs using (digest, path, tool)
    where mine.size = 1 and theirs.size = 1
    on conflict do nothing`;
}

/** Findings of other refs and tools, and closed ones: first by context, then by order. */
async function matchElsewhere(tx: Tx, kind: number): Promise<void> {
  const order = sql`known.is_open desc,`;
  await tx.run`
    with ${sides(kind, { group: sameContext, where: sql`not known.is_here`, order })}
    insert into pair (n, finding_id, pass)
    select mine.n, theirs.finding_id, 'exact' from mine join theirs using (digest, path, tool, rank)
    where mine.context_digest is not distinct from theirs.context_digest
    on conflict do nothing`;
  await tx.run`
    with ${sides(kind, { group: anyContext, where: sql`not known.is_here`, order })}
    insert into pair (n, finding_id, pass)
    select mine.n, theirs.finding_id, 'same' from mine join theirs using (digest, path, tool, rank)
    on conflict do nothing`;
}

interface Pair {
  n: number;
  finding: string;
  pass: string;
}

async function keepPairs(tx: Tx, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  await tx.run`
    insert into pair (n, finding_id, pass)
    select * from unnest(${pairs.map(({ n }) => n)}::integer[], ${pairs.map(({ finding }) => finding)}::bigint[],
      ${pairs.map(({ pass }) => pass)}::text[])
    on conflict do nothing`;
}

interface Side extends AlignmentItem {
  id: string;
}

/** T2: equal fingerprint, several on either side: aligned by their surroundings. */
async function matchAligned(tx: Tx, { deployment, project }: TrackingTarget, kind: number): Promise<void> {
  const rows = await tx.rows`
    with ${sides(kind, { group: anyContext, where: sql`known.is_here`, order: sql`` })},
    common as (select distinct digest, path, tool from mine join theirs using (digest, path, tool))
    select 'mine' as side, common.digest, common.path, mine.rank, incoming.n::text as id, incoming.line,
      coalesce(incoming.context, incoming.message) as text
    from mine join common using (digest, path, tool) join stage_finding as incoming using (n)
    union all
    select 'theirs', common.digest, common.path, theirs.rank, finding.id::text, known.line, coalesce(finding.context,
      finding.message)
    from theirs join common using (digest, path, tool) join known using (finding_id)
    join finding on finding.deployment_id = ${deployment} and finding.project_id = ${project}
      and finding.id = known.finding_id
    order by digest, path, side, rank`;
  const groups = new Map<string, { mine: Side[]; theirs: Side[] }>();
  for (const row of rows) {
    const key = `${row['digest']} ${row['path']}`;
    const group = groups.get(key) ?? { mine: [], theirs: [] };
    groups.set(key, group);
    const one = { id: String(row['id']), line: Number(row['line']), text: String(row['text']) };
    (row['side'] === 'mine' ? group.mine : group.theirs).push(one);
  }
  await keepPairs(
    tx,
    [...groups.values()].flatMap(({ mine, theirs }) =>
      align(theirs, mine).map(
        ([before, after]): Pair => ({
          n: Number(mine[after]?.id),
          finding: theirs[before]?.id ?? '',
          pass: 'aligned',
        }),
      ),
    ),
  );
}

interface ScopedSide extends ScopedItem {
  id: string;
}

/** T3 and T4: results without a matching fingerprint, by scope and similarity. */
async function matchByScope(tx: Tx, { deployment, project }: TrackingTarget): Promise<void> {
  const rows = await tx.rows`
    with mine as (select * from stage_finding as incoming where scope is not null and not is_unique and ${isLeft}),
    theirs as (
      select finding.id, known.path, known.line, finding.scope, finding.code, finding.rule, finding.product
      from known join finding on finding.deployment_id = ${deployment} and finding.project_id = ${project}
        and finding.id = known.finding_id
      where known.is_here and finding.scope is not null and ${isUnmatched}
    )
    select 'mine' as side, n::text as id, product, rule, path, scope, line, coalesce(code, message) as text
    from mine where exists (select from theirs where theirs.rule = mine.rule and theirs.path = mine.path)
    union all
    select 'theirs', id::text, product, rule, path, scope, line, coalesce(code, '')
    from theirs where exists (select from mine where theirs.rule = mine.rule and theirs.path = mine.path)
    order by side, path, rule, scope, line, id`;
  const groups = new Map<string, { mine: ScopedSide[]; theirs: ScopedSide[] }>();
  const starts = new Map<string, number>();
  for (const row of rows) {
    const key = JSON.stringify([row['product'], row['rule'], row['path']]);
    const group = groups.get(key) ?? { mine: [], theirs: [] };
    groups.set(key, group);
    const line = Number(row['line']);
    const scopeKey = JSON.stringify([row['side'], key, row['scope']]);
    const start = starts.get(scopeKey) ?? line;
    starts.set(scopeKey, start);
    const one = {
      id: String(row['id']),
      line,
      text: String(row['text']),
      scope: String(row['scope']),
      offset: line - start,
    };
    (row['side'] === 'mine' ? group.mine : group.theirs).push(one);
  }
  await keepPairs(
    tx,
    [...groups.values()].flatMap(({ mine, theirs }) =>
      pairByScope(theirs, mine).map(
        ([before, after, pass]): Pair => ({ n: Number(mine[after]?.id), finding: theirs[before]?.id ?? '', pass }),
      ),
    ),
  );
}

const LOCATED = [FINGERPRINT_KINDS.tool, FINGERPRINT_KINDS.code, FINGERPRINT_KINDS.place];

/** True while unmatched results and unmatched candidates remain. */
async function isUnsettled(tx: Tx): Promise<boolean> {
  const [row] = await tx.rows`
    select exists (select from stage_finding as incoming where ${isLeft})
      and exists (select from known where ${isUnmatched}) as is_unsettled`;
  return row?.['is_unsettled'] === true;
}

/** The kinds of fingerprints that unmatched results and candidates still share; other kinds cannot match anything. */
async function kindsLeft(tx: Tx): Promise<number[]> {
  const rows = await tx.rows`
    select distinct print.kind from stage_finding as incoming join stage_print as print using (n)
      join known_print using (digest)
    where not incoming.is_unique and ${isLeft}
      and not exists (select from pair where pair.finding_id = known_print.finding_id)`;
  const found = new Set(rows.map((row) => Number(row['kind'])));
  return LOCATED.filter((kind) => found.has(kind));
}

/** Matches results to candidates one to one, from strict to loose passes; unmatched results are new. */
export async function matchCandidates(tx: Tx, target: TrackingTarget): Promise<void> {
  await matchUnique(tx);
  for (const kind of await kindsLeft(tx)) await matchExactly(tx, kind);
  await tx.run`analyze pair`;
  if (!(await isUnsettled(tx))) return;
  for (const kind of await kindsLeft(tx)) {
    await matchSingles(tx, kind);
    await matchAligned(tx, target, kind);
  }
  await matchByScope(tx, target);
  for (const kind of await kindsLeft(tx)) await matchElsewhere(tx, kind);
}
