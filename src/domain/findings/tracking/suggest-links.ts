import { z } from 'zod';
import { type Sql, sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ScanStamp } from './apply-matches.ts';
import type { TrackingTarget } from './candidates.ts';
import { ComparedText, MAX_COMPARED } from './pairing/compared-text.ts';

const MIN_SIMILARITY = 0.6;
const MAX_SUGGESTIONS = 2000;

const EditedPair = z.object({ old_id: z.string(), new_id: z.string(), old_code: z.string(), new_code: z.string() });
const SeveralTools = z.object({ are_several: z.boolean() });
const WeaknessPair = z.object({ id: z.string(), other_id: z.string(), tool: z.string(), cwes: z.array(z.string()) });

interface Link {
  finding: string;
  other: string;
  relation: 'possibly_same' | 'same_weakness';
  evidence: object;
}

async function insertLinks(tx: Tx, deployment: string, links: readonly Link[], at: Date): Promise<void> {
  if (links.length === 0) return;
  const rows = links.map(({ finding, other, relation, evidence }) => ({ finding, other, relation, evidence }));
  await tx.run`
    insert into finding_link (deployment_id, finding_id, other_id, relation, evidence, created_by, created_at)
    select ${deployment}, least(finding, other), greatest(finding, other), relation, evidence, 'tracker', ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as link (finding bigint, other bigint, relation text, evidence jsonb)
    on conflict do nothing`;
}

/** T5: a fixed and a new finding of one rule in one file may be the same one after an edit: suggested to people. */
async function findEdited(tx: Tx, { deployment, project }: TrackingTarget): Promise<Link[]> {
  const oneOf = (source: Sql) => sql`
    select * from (
      select finding.id, finding.path, finding.rule, finding.tool, finding.code,
        row_number() over (partition by finding.path, finding.rule, finding.tool order by finding.id) as number
      from ${source} join finding on finding.deployment_id = ${unestimated(deployment)}
        and finding.project_id = ${project}
        and finding.id = finding_id
      where finding.code is not null) as numbered
    where number <= ${MAX_COMPARED}`;
  const rows = await tx.all(EditedPair)`
    with gone as (${oneOf(sql`(select finding_id from closing where verdict = 'fixed') as fixed`)}),
    fresh as (${oneOf(sql`(select finding_id from matched where pass = 'new') as opened`)})
    select gone.id as old_id, fresh.id as new_id, gone.code as old_code, fresh.code as new_code
    from gone join fresh using (path, rule, tool)
    order by gone.id, fresh.id
    limit ${MAX_SUGGESTIONS}`;
  return rows.flatMap(({ old_id: finding, new_id: other, old_code: oldCode, new_code: newCode }): Link[] => {
    const value = new ComparedText(oldCode).similarityTo(new ComparedText(newCode));
    if (value < MIN_SIMILARITY) return [];
    const evidence = { alike: Number(value.toFixed(2)) };
    return [{ finding, other, relation: 'possibly_same', evidence }];
  });
}

/** S2: findings of two tools with a common weakness in overlapping lines are linked, and never merged. */
async function findSharedWeaknesses(tx: Tx, { deployment, project }: TrackingTarget): Promise<Link[]> {
  const tools = await tx.one(SeveralTools)`
    select count(distinct key) > 1 as are_several from analysis
    where deployment_id = ${unestimated(deployment)} and project_id = ${project}`;
  if (tools?.are_several !== true) return [];
  const weaknessesOf = (finding: Sql) => sql`
    select * from (
      select finding.id, finding.path, finding.product, finding.tool, finding.line, finding.end_line, cwe,
        row_number() over (partition by finding.path, finding.product, finding.tool, cwe order by finding.id) as number
      from ${finding} as finding cross join lateral unnest(finding.cwes) as cwe) as numbered
    where number <= ${MAX_COMPARED}`;
  const rows = await tx.all(WeaknessPair)`
    with own as (${weaknessesOf(sql`(
      select finding.* from matched join finding on finding.deployment_id = ${unestimated(deployment)}
        and finding.project_id = ${project} and finding.id = matched.finding_id
      where matched.pass = 'new')`)}),
    other as (${weaknessesOf(sql`(
      select * from finding where finding.deployment_id = ${unestimated(deployment)} and finding.project_id = ${project}
        and finding.state in ('detected', 'elsewhere') and finding.path in (select path from own))`)})
    select own.id, other.id as other_id, other.tool, array_agg(distinct cwe) as cwes
    from own join other using (path, product, cwe)
    where other.tool <> own.tool and other.line <= own.end_line and own.line <= other.end_line
    group by own.id, other.id, other.tool
    order by own.id, other.id
    limit ${MAX_SUGGESTIONS}`;
  return rows.map((row) => ({
    finding: row.id,
    other: row.other_id,
    relation: 'same_weakness',
    evidence: { tool: row.tool, cwes: row.cwes },
  }));
}

/** Suggests links that people can confirm or reject; tracking ignores them. */
export async function suggestLinks(tx: Tx, target: TrackingTarget, { at }: ScanStamp): Promise<void> {
  await insertLinks(tx, target.deployment, await findEdited(tx, target), at);
  await insertLinks(tx, target.deployment, await findSharedWeaknesses(tx, target), at);
}
