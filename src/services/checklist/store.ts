import { z } from 'zod';
import { principalOf } from '#domain/access/principal.ts';
import { INITIAL_AUTHOR } from '#domain/policies/ruleboards.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ChecklistFacts } from './rules.ts';

export interface ChecklistState {
  facts: ChecklistFacts;
  /** The tasks that were marked manually, for the deployment or by the caller. */
  marks: Set<string>;
}

/** Uses the index on the status, so that the cost does not depend on the number of findings. */
const hasTriaged = (...products: string[]) => sql`
  exists (select from finding where deployment_id = (select current_deployment()) and product = any (${products})
    and status in ('ignored', 'reviewing', 'fixing') and triaged_by is not null)`;

const ChecklistRow = z.object({
  hasColleagues: z.boolean(),
  hasScan: z.boolean(),
  hasTokenForCi: z.boolean(),
  hasDecidedOnCode: z.boolean(),
  hasDecidedOnDependency: z.boolean(),
  hasOwnRules: z.boolean(),
  hasIgnores: z.boolean(),
  marks: z.array(z.string()),
});

export async function loadChecklist(tx: Tx, caller: Caller): Promise<ChecklistState> {
  const { deployment } = caller;
  const row = await tx.one(ChecklistRow)`
    select
      (select count(*) from membership where deployment_id = ${deployment}) > 1 as "hasColleagues",
      exists (select from project where deployment_id = ${deployment} and latest_scan_at is not null) as "hasScan",
      exists (select from api_token where deployment_id = ${deployment} and role = 'TOKEN_ROLE_AGENT_CLI'
                and revoked_at is null and expires_at > now()) as "hasTokenForCi",
      ${hasTriaged('sast', 'ai_sast', 'secrets')} as "hasDecidedOnCode",
      ${hasTriaged('sca')} as "hasDecidedOnDependency",
      exists (select from ruleboard_item
              where deployment_id = ${deployment} and changed_by <> ${INITIAL_AUTHOR}) as "hasOwnRules",
      exists (select from ignore_list where deployment_id = ${deployment}) as "hasIgnores",
      array(select task from checklist_mark
            where deployment_id = ${deployment} and owner in ('', ${principalOf(caller)})) as marks`;
  if (!row) throw new Error('The statement returned no row.');
  const { marks, ...facts } = row;
  return { facts, marks: new Set(marks) };
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
      as marked (owner, task)
    on conflict do nothing`;

export const unmark = (tx: Tx, deployment: string, marks: readonly ChecklistMark[]): Promise<number> =>
  tx.run`
    delete from checklist_mark
    where deployment_id = ${deployment} and (owner, task) in (
      select owner, task
      from unnest(${marks.map(({ owner }) => owner)}::text[], ${marks.map(({ task }) => task)}::text[])
        as unmarked (owner, task))`;
