import type { Tx } from '#kernel/db/tx.ts';
import { similarity } from './align.ts';
import type { ScanStamp } from './apply-matches.ts';
import type { TrackingTarget } from './candidates.ts';

const ALIKE = 0.6;
const MOST_SUGGESTED = 2000;

interface Link {
  finding: string;
  other: string;
  relation: 'possibly_same' | 'same_weakness';
  evidence: object;
}

async function keepLinks(tx: Tx, deployment: string, links: readonly Link[], at: Date): Promise<void> {
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
async function rewritten(tx: Tx, { deployment, project }: TrackingTarget): Promise<Link[]> {
  const rows = await tx.rows`
    select gone.id as gone, fresh.id as fresh, gone.code as old_code, fresh.code as new_code
    from closing
    join finding as gone on gone.deployment_id = ${deployment} and gone.project_id = ${project}
      and gone.id = closing.finding_id
    join finding as fresh on fresh.deployment_id = ${deployment} and fresh.project_id = ${project}
      and fresh.path = gone.path and fresh.rule = gone.rule and fresh.tool = gone.tool
    join pair on pair.finding_id = fresh.id and pair.pass = 'new'
    where closing.verdict = 'fixed' and gone.code is not null and fresh.code is not null
    order by gone.id, fresh.id
    limit ${MOST_SUGGESTED}`;
  return rows.flatMap((row): Link[] => {
    const alike = similarity(String(row['old_code']), String(row['new_code']));
    if (alike < ALIKE) return [];
    const evidence = { alike: Number(alike.toFixed(2)) };
    return [{ finding: String(row['gone']), other: String(row['fresh']), relation: 'possibly_same', evidence }];
  });
}

/** S2: findings of two tools with a common weakness in overlapping lines are linked, and never merged. */
async function shared(tx: Tx, { deployment, project }: TrackingTarget): Promise<Link[]> {
  const [tools] = await tx.rows`
    select count(distinct key) > 1 as are_several from analysis
    where deployment_id = ${deployment} and project_id = ${project}`;
  if (tools?.['are_several'] !== true) return [];
  const rows = await tx.rows`
    select mine.id as mine, theirs.id as theirs, theirs.tool,
      array(select unnest(mine.cwes) intersect select unnest(theirs.cwes)) as cwes
    from pair join finding as mine on mine.deployment_id = ${deployment} and mine.project_id = ${project}
      and mine.id = pair.finding_id
    join finding as theirs on theirs.deployment_id = ${deployment} and theirs.project_id = ${project}
      and theirs.path = mine.path and theirs.product = mine.product and theirs.tool <> mine.tool
      and theirs.cwes && mine.cwes and theirs.line <= mine.end_line and mine.line <= theirs.end_line
    where pair.pass = 'new' and theirs.state in ('detected', 'elsewhere')
    order by mine.id, theirs.id
    limit ${MOST_SUGGESTED}`;
  return rows.map((row) => ({
    finding: String(row['mine']),
    other: String(row['theirs']),
    relation: 'same_weakness',
    evidence: { tool: row['tool'], cwes: row['cwes'] },
  }));
}

/** Suggests links that people can confirm or reject; tracking ignores them. */
export async function suggestLinks(tx: Tx, target: TrackingTarget, { at }: ScanStamp): Promise<void> {
  await keepLinks(tx, target.deployment, await rewritten(tx, target), at);
  await keepLinks(tx, target.deployment, await shared(tx, target), at);
}
