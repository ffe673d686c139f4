import { principalOf } from '#domain/access/principal.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ChecklistFacts } from './rules.ts';

export interface ChecklistState {
  facts: ChecklistFacts;
  /** The tasks that were ticked by hand, for the deployment or by the caller. */
  marks: Set<string>;
}

/** By the index of states, so that it costs the same however many findings there are. */
const decidedOn = (...products: string[]) => sql`
  exists (select from finding where deployment_id = (select current_deployment()) and product = any (${products})
    and status in ('ignored', 'reviewing', 'fixing') and triaged_by is not null)`;

export async function loadChecklist(tx: Tx, caller: Caller): Promise<ChecklistState> {
  const { deployment } = caller;
  const [row] = await tx.rows`
    select
      (select count(*) from membership where deployment_id = ${deployment}) > 1 as has_colleagues,
      exists (select from project where deployment_id = ${deployment} and latest_scan_at is not null) as has_scan,
      exists (select from api_token where deployment_id = ${deployment} and role = 'TOKEN_ROLE_AGENT_CLI'
                and revoked_at is null and expires_at > now()) as has_token_for_ci,
      ${decidedOn('sast', 'ai_sast', 'secrets')} as has_decided_on_code,
      ${decidedOn('sca')} as has_decided_on_dependency,
      exists (select from ruleboard_item where deployment_id = ${deployment}) as has_own_rules,
      exists (select from ignore_list where deployment_id = ${deployment}) as has_ignores,
      array(select task from checklist_mark
            where deployment_id = ${deployment} and owner in ('', ${principalOf(caller)})) as marks`;
  return {
    facts: {
      hasColleagues: row?.['has_colleagues'] === true,
      hasScan: row?.['has_scan'] === true,
      hasTokenForCi: row?.['has_token_for_ci'] === true,
      hasDecidedOnCode: row?.['has_decided_on_code'] === true,
      hasDecidedOnDependency: row?.['has_decided_on_dependency'] === true,
      hasOwnRules: row?.['has_own_rules'] === true,
      hasIgnores: row?.['has_ignores'] === true,
    },
    marks: new Set(row?.['marks'] as string[]),
  };
}

export interface ChecklistMark {
  owner: string;
  task: string;
}

export const mark = (tx: Tx, deployment: string, marks: readonly ChecklistMark[]): Promise<number> =>
  tx.run`
    insert into checklist_mark (deployment_id, owner, task)
    select ${deployment}, owner, task
    from unnest(${marks.map(({ owner }) => owner)}::text[], ${marks.map(({ task }) => task)}::text[])
      as wanted (owner, task)
    on conflict do nothing`;

export const unmark = (tx: Tx, deployment: string, marks: readonly ChecklistMark[]): Promise<number> =>
  tx.run`
    delete from checklist_mark
    where deployment_id = ${deployment} and (owner, task) in (
      select owner, task
      from unnest(${marks.map(({ owner }) => owner)}::text[], ${marks.map(({ task }) => task)}::text[])
        as unwanted (owner, task))`;
