import { z } from 'zod';
import { RowExists } from '#kernel/db/query/row-schemas.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { TrackingTarget } from './candidates.ts';
import { FINGERPRINT_KINDS } from './finding-identity.ts';
import { matchAligned, matchByScope, matchEdited, matchSimilarElsewhere } from './match-similar.ts';
import { matchUnique } from './match-unique.ts';
import { anyContext, isUnmatchedCandidate, isUnmatchedResult, NO_CONTEXT, sameContext, sides } from './pass-sides.ts';

/**
 * T1: equal fingerprint and context, and equal numbers on both sides: paired in file order. Without a context, only
 * single ones are: of several, another one may be gone than the one that is new.
 */
async function matchExactly(tx: Tx, kind: number): Promise<void> {
  await tx.run`
    with ${sides(kind, { group: sameContext, where: sql`candidate.is_detected`, order: sql`` })}
    insert into matched (n, finding_id, pass)
    select results.n, candidates.finding_id, 'exact'
    from results join candidates using (digest, path, tool, context, rank, size)
    where results.size = 1 or results.context <> ${NO_CONTEXT}
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

const elsewhere = { where: sql`not candidate.is_detected`, order: sql`candidate.is_open desc,` };

/** Findings of other refs and tools, and closed ones: first by context, then by order. */
async function matchElsewhere(tx: Tx, target: TrackingTarget, kind: number): Promise<void> {
  await tx.run`
    with ${sides(kind, { group: sameContext, ...elsewhere })}
    insert into matched (n, finding_id, pass)
    select results.n, candidates.finding_id, 'exact'
    from results join candidates using (digest, path, tool, context, rank)
    where results.context <> ${NO_CONTEXT}
    on conflict do nothing`;
  // An id of a tool may be coarse: it must not reopen a finding of different code.
  if (kind === FINGERPRINT_KINDS.tool)
    return matchSimilarElsewhere(tx, target, sides(kind, { group: anyContext, ...elsewhere }));
  await tx.run`
    with ${sides(kind, { group: anyContext, ...elsewhere })}
    insert into matched (n, finding_id, pass)
    select results.n, candidates.finding_id, 'same' from results join candidates using (digest, path, tool, rank)
    on conflict do nothing`;
}

const KindRow = z.object({ kind: z.number() });

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
  await matchEdited(tx, target);
  for (const kind of await remainingKinds(tx)) await matchElsewhere(tx, target, kind);
}
