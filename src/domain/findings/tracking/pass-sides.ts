import { type Sql, sql } from '#kernel/db/query/sql.ts';

export const isUnmatchedResult = sql`not exists (select from matched where matched.n = incoming.n)`;
export const isUnmatchedCandidate = sql`
  not exists (select from matched where matched.finding_id = candidate.finding_id)`;

interface PassOptions {
  group: { results: Sql; candidates: Sql };
  where: Sql;
  order: Sql;
}

/** Without a context, results are compared by a value that no digest has: only equality can be joined by hash. */
export const NO_CONTEXT = sql`uuid '00000000-0000-0000-0000-000000000000'`;
const contextOf = (table: Sql) => sql`coalesce(${table}.context_digest, ${NO_CONTEXT})`;

/** Both sides of a pass: results and findings of one kind of fingerprint, numbered within each `group`. */
export function sides(kind: number, { group, where, order }: PassOptions): Sql {
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

export const sameContext = { results: sql`, incoming.context_digest`, candidates: sql`, candidate.context_digest` };
export const anyContext = { results: sql``, candidates: sql`` };
