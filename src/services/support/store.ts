import { z } from 'zod';
import type { Caller } from '#kernel/auth/caller.ts';
import { count } from '#kernel/contract/proto-fields.ts';
import { emptySql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { SupportCase } from './contract.ts';

export interface NewSupportCase {
  type: string;
  priority: string;
  subject: string;
  description: string;
  email: string;
}

const SameRow = z.object({ is_same: z.boolean().optional() });

/** True if the id is the id or slug of the deployment, or its organization id. */
export async function isOrganization(tx: Tx, deployment: string, organization: string): Promise<boolean> {
  const row = await tx.one(SameRow)`
    select ${organization} in (id::text, slug, organization_id) as is_same from deployment where id = ${deployment}`;
  return row?.is_same === true;
}

const CountRow = z.object({ count: count() });

export async function countLastDay(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(CountRow)`
    select count(*) as count from support_case
    where deployment_id = ${deployment} and created_at > now() - interval '1 day'`;
  return row?.count ?? 0;
}

const IdRow = z.object({ id: z.string() });

export async function insert(tx: Tx, caller: Caller, { type, priority, ...texts }: NewSupportCase): Promise<string> {
  const row = await tx.one(IdRow)`
    insert into support_case (deployment_id, type, priority, subject, description, email, opened_by)
    values (${caller.deployment}, ${type}, ${priority}, ${texts.subject}, ${texts.description}, ${texts.email},
            ${caller.userId})
    returning id`;
  if (!row) throw new Error('A support case was not inserted.');
  return row.id;
}

/** The cases that the caller may see, newest first. The owner is empty for deleted accounts. */
export const list = (tx: Tx, caller: Caller, limit: number): Promise<SupportCase[]> =>
  tx.all(SupportCase)`
    select priority, status, type as "caseType", subject, description, support_case.created_at as "createdAt",
           coalesce(account.name, '') as "caseOwner", support_case.id::text as "caseNumber"
    from support_case left join account on account.id = support_case.opened_by
    where support_case.deployment_id = ${caller.deployment}
      ${caller.seesEverything ? emptySql : sql`and support_case.opened_by = ${caller.userId}`}
    order by support_case.id desc
    limit ${limit}`;
