import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import { similarity } from './align.ts';
import type { ScanStamp } from './apply-matches.ts';
import type { TrackingTarget } from './candidates.ts';

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
  const rows = await tx.all(EditedPair)`
    select gone.id as old_id, fresh.id as new_id, gone.code as old_code, fresh.code as new_code
    from closing
    join finding as gone on gone.deployment_id = ${deployment} and gone.project_id = ${project}
      and gone.id = closing.finding_id
    join finding as fresh on fresh.deployment_id = ${deployment} and fresh.project_id = ${project}
      and fresh.path = gone.path and fresh.rule = gone.rule and fresh.tool = gone.tool
    join matched on matched.finding_id = fresh.id and matched.pass = 'new'
    where closing.verdict = 'fixed' and gone.code is not null and fresh.code is not null
    order by gone.id, fresh.id
    limit ${MAX_SUGGESTIONS}`;
  return rows.flatMap(({ old_id: finding, new_id: other, old_code: oldCode, new_code: newCode }): Link[] => {
    const value = similarity(oldCode, newCode);
    if (value < MIN_SIMILARITY) return [];
    const evidence = { alike: Number(value.toFixed(2)) };
    return [{ finding, other, relation: 'possibly_same', evidence }];
  });
}

/** S2: findings of two tools with a common weakness in overlapping lines are linked, and never merged. */
async function findSharedWeaknesses(tx: Tx, { deployment, project }: TrackingTarget): Promise<Link[]> {
  const tools = await tx.one(SeveralTools)`
    select count(distinct key) > 1 as are_several from analysis
    where deployment_id = ${deployment} and project_id = ${project}`;
  if (tools?.are_several !== true) return [];
  const rows = await tx.all(WeaknessPair)`
    select own.id, other.id as other_id, other.tool,
      array(select unnest(own.cwes) intersect select unnest(other.cwes)) as cwes
    from matched join finding as own on own.deployment_id = ${deployment} and own.project_id = ${project}
      and own.id = matched.finding_id
    join finding as other on other.deployment_id = ${deployment} and other.project_id = ${project}
      and other.path = own.path and other.product = own.product and other.tool <> own.tool
      and other.cwes && own.cwes and other.line <= own.end_line and own.line <= other.end_line
    where matched.pass = 'new' and other.state in ('detected', 'elsewhere')
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
