import { z } from 'zod';
import { RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { SsoAttempt } from './sso-shape.ts';

/** How many attempts of a deployment are kept. */
export const MAX_SSO_ATTEMPTS = 200;

export interface NewSsoAttempt {
  deployment: string;
  provider: string;
  at: Date;
  mode: 'sign-in' | 'test' | 'link';
  failedCheck: string;
  detail: string;
  email: string;
  subject: string;
  groups: readonly string[];
  role: string;
  teamIds: readonly string[];
  /** Only of tests. */
  claims?: string | undefined;
  address: string;
  account?: string | undefined;
}

const short = (text: string, length: number) => text.replace(/\p{Cc}/gu, ' ').slice(0, length);

/** Records an attempt and deletes all but the newest. */
export async function recordAttempt(tx: Tx, attempt: NewSsoAttempt): Promise<string> {
  const { deployment, provider } = attempt;
  const row = await tx.one(RowId)`
    insert into sso_attempt (deployment_id, provider_id, at, mode, failed_check, detail, email, subject, groups, role,
                             team_ids, claims, address, account_id)
    values (${deployment}, ${provider}, ${attempt.at}, ${attempt.mode}, ${attempt.failedCheck},
            ${short(attempt.detail, 1000)}, ${short(attempt.email, 320)}, ${short(attempt.subject, 1024)},
            ${attempt.groups.slice(0, 200).map((group) => short(group, 256))}::text[], ${attempt.role},
            ${[...attempt.teamIds]}::bigint[], ${attempt.claims ?? null}, ${attempt.address},
            ${attempt.account ?? null})
    returning id`;
  await tx.run`
    delete from sso_attempt where deployment_id = ${deployment} and id <= (
      select id from sso_attempt where deployment_id = ${deployment}
      order by id desc offset ${MAX_SSO_ATTEMPTS}::int limit 1)`;
  return returnedId(row);
}

const Named = z.object({ names: z.array(z.string()) });

/** The names of teams, in order of their ids. */
export async function listTeamNames(tx: Tx, deployment: string, teamIds: readonly string[]): Promise<string[]> {
  const row = await tx.one(Named)`
    select coalesce(array_agg(name order by id), '{}') as names from team
    where deployment_id = ${deployment} and id = any(${[...teamIds]}::bigint[])`;
  return row?.names ?? [];
}

/** The attempts of a deployment, newest first. */
export const listAttempts = (tx: Tx, deployment: string, { provider }: { provider: string | undefined }) =>
  tx.all(SsoAttempt)`
    select attempt.id, attempt.provider_id as "providerId", attempt.at, attempt.mode,
           attempt.failed_check as "failedCheck", attempt.detail, attempt.email, attempt.subject, attempt.groups,
           attempt.role, attempt.address, coalesce(attempt.claims, '') as claims,
           coalesce((select array_agg(team.name order by team.id) from team
             where team.deployment_id = attempt.deployment_id and team.id = any(attempt.team_ids)), '{}') as teams
    from sso_attempt as attempt
    where attempt.deployment_id = ${deployment}
      and (${provider ?? null}::bigint is null or attempt.provider_id = ${provider ?? null})
    order by attempt.id desc limit ${MAX_SSO_ATTEMPTS}::int`;
