import { z } from 'zod';
import { openSecret, sealSecret } from '#domain/deployments/secrets.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Secret } from '#kernel/crypto/secret.ts';
import type { Tx } from '#kernel/db/tx.ts';

const secretOf = (deployment: string) => ({
  ...{ deployment, table: 'slack_app', column: 'sealed_client_secret', row: deployment },
});
const tokenOf = (deployment: string) => ({
  ...{ deployment, table: 'slack_installation', column: 'sealed_token', row: deployment },
});

const App = z.object({ slug: z.string(), client_id: z.string().optional(), sealed: z.string().optional() });

export interface StoredSlackApp {
  clientId: string;
  clientSecret: Secret;
}

/** The app, and the slug of the deployment, which is part of the redirect URL. */
export async function findApp(
  tx: Tx,
  keys: KeyRing,
  deployment: string,
): Promise<{ slug: string; app: StoredSlackApp | undefined }> {
  const row = await tx.one(App)`
    select deployment.slug, slack_app.client_id, slack_app.sealed_client_secret as sealed
    from deployment left join slack_app on slack_app.deployment_id = deployment.id
    where deployment.id = ${deployment}`;
  if (!row) throw new Error('The deployment of a call does not exist.');
  if (row.client_id === undefined || row.sealed === undefined) return { slug: row.slug, app: undefined };
  const clientSecret = await openSecret(tx, keys, secretOf(deployment), row.sealed);
  return { slug: row.slug, app: { clientId: row.client_id, clientSecret } };
}

export async function saveApp(
  tx: Tx,
  keys: KeyRing,
  deployment: string,
  { clientId, clientSecret }: StoredSlackApp,
): Promise<void> {
  const sealed = await sealSecret(tx, keys, secretOf(deployment), clientSecret);
  await tx.run`
    insert into slack_app (deployment_id, client_id, sealed_client_secret)
    values (${deployment}, ${clientId}, ${sealed})
    on conflict (deployment_id) do update set client_id = excluded.client_id,
      sealed_client_secret = excluded.sealed_client_secret, updated_at = now()`;
}

const Installation = z.object({
  client_id: z.string(),
  app_id: z.string(),
  team_id: z.string(),
  team_name: z.string(),
  enterprise_id: z.string(),
  enterprise_name: z.string(),
  url: z.string(),
  scopes: z.array(z.string()),
  is_auth_revoked: z.boolean(),
});
export type SlackInstallation = z.output<typeof Installation>;

export const findInstallation = (tx: Tx, deployment: string): Promise<SlackInstallation | undefined> =>
  tx.one(Installation)`
    select slack_app.client_id, app_id, team_id, team_name, enterprise_id, enterprise_name, url, scopes, is_auth_revoked
    from slack_installation join slack_app on slack_app.deployment_id = slack_installation.deployment_id
    where slack_installation.deployment_id = ${deployment}`;

const Sealed = z.object({ sealed: z.string() });

export async function findBotToken(tx: Tx, keys: KeyRing, deployment: string): Promise<Secret | undefined> {
  const row = await tx.one(Sealed)`
    select sealed_token as sealed from slack_installation where deployment_id = ${deployment}`;
  return row && openSecret(tx, keys, tokenOf(deployment), row.sealed);
}

export interface NewInstallation extends Omit<SlackInstallation, 'client_id' | 'is_auth_revoked'> {
  token: Secret;
  by: string;
  at: Date;
}

/** Stores an installation, or the new token and scopes of one. */
export async function saveInstallation(
  tx: Tx,
  keys: KeyRing,
  deployment: string,
  made: NewInstallation,
): Promise<void> {
  const sealed = await sealSecret(tx, keys, tokenOf(deployment), made.token);
  await tx.run`
    insert into slack_installation (deployment_id, app_id, team_id, team_name, enterprise_id, enterprise_name, url,
      scopes, sealed_token, installed_by, installed_at)
    values (${deployment}, ${made.app_id}, ${made.team_id}, ${made.team_name}, ${made.enterprise_id},
      ${made.enterprise_name}, ${made.url}, ${made.scopes}::text[], ${sealed}, ${made.by}, ${made.at})
    on conflict (deployment_id) do update set app_id = excluded.app_id, team_name = excluded.team_name,
      enterprise_id = excluded.enterprise_id, enterprise_name = excluded.enterprise_name, url = excluded.url,
      scopes = excluded.scopes, sealed_token = excluded.sealed_token, is_auth_revoked = false,
      installed_by = excluded.installed_by, installed_at = excluded.installed_at`;
}

export const deleteInstallation = (tx: Tx, deployment: string): Promise<number> =>
  tx.run`delete from slack_installation where deployment_id = ${deployment}`;

/** Marks that Slack does not accept the token any more. */
export const markSlackRevoked = (tx: Tx, deployment: string): Promise<number> =>
  tx.run`
    update slack_installation set is_auth_revoked = true where deployment_id = ${deployment} and not is_auth_revoked`;
