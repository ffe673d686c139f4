import { z } from 'zod';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';

const UserAccountRow = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  deleted_at: timestamp().optional(),
  has_accepted_toc: z.boolean(),
  has_subscribed: z.boolean(),
  can_be_contacted: z.boolean(),
  tours: z.record(z.string(), z.string()),
  org_role: z.string().optional(),
  session_expires_at: timestamp().optional(),
});
export type UserAccountRow = z.output<typeof UserAccountRow>;

/** The account with the current session, as these operations show it. */
export async function find(tx: Tx, account: string, session: string): Promise<UserAccountRow> {
  const row = await tx.one(UserAccountRow)`
    select account.id, email, name, deleted_at, has_accepted_toc, has_subscribed, can_be_contacted,
      coalesce((select json_object_agg(tour, state) from account_tour where account_id = account.id), '{}') as tours,
      (select role from membership where account_id = account.id order by joined_at, deployment_id limit 1) as org_role,
      (select expires_at from session where session.id = ${session}) as session_expires_at
    from account where account.id = ${account}`;
  if (!row) throw new Error('The account of a session was not found.');
  return row;
}

export interface UserPreferences {
  hasAcceptedToc: boolean | undefined;
  subscribe: boolean | undefined;
  contactAboutExperiments: boolean | undefined;
  usedCliLogin: boolean | undefined;
}

export const update = (tx: Tx, account: string, preferences: UserPreferences): Promise<number> =>
  tx.run`
    update account set
      has_accepted_toc = coalesce(${preferences.hasAcceptedToc ?? null}, has_accepted_toc),
      has_subscribed = coalesce(${preferences.subscribe ?? null}, has_subscribed),
      can_be_contacted = coalesce(${preferences.contactAboutExperiments ?? null}, can_be_contacted),
      has_used_cli_login = coalesce(${preferences.usedCliLogin ?? null}, has_used_cli_login)
    where id = ${account}`;

export const updateTours = (tx: Tx, account: string, tours: ReadonlyMap<string, string>): Promise<number> =>
  tx.run`
    insert into account_tour (account_id, tour, state)
    select ${account}, tour, state
    from unnest(${[...tours.keys()]}::text[], ${[...tours.values()]}::text[]) as changed (tour, state)
    on conflict (account_id, tour) do update set state = excluded.state`;
