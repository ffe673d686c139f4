import { z } from 'zod';
import { count } from '#kernel/contract/proto-fields.ts';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { SsoGroupRule } from './sso-shape.ts';

export interface SettingsRef {
  deployment: string;
  provider: string;
}

const Settings = z.object({
  groupsClaim: z.string(),
  idTokenAlg: z.string(),
  isEmailTrusted: z.boolean(),
  emailClaim: z.string(),
  secondCertificate: z.string(),
  allowsIdpInitiated: z.boolean(),
  version: count(),
});

/** How a provider's claims are read, and what its groups give. */
export type SsoSettings = z.output<typeof Settings> & { groups: SsoGroupRule[] };

export const listGroupRules = (tx: Tx, { deployment, provider }: SettingsRef): Promise<SsoGroupRule[]> =>
  tx.all(SsoGroupRule)`
    select name as group, role,
           array(select team_id::text from sso_group_team
                 where sso_group_team.deployment_id = sso_group.deployment_id
                   and sso_group_team.provider_id = sso_group.provider_id
                   and sso_group_team.group_name = sso_group.name order by team_id) as "teamIds"
    from sso_group where deployment_id = ${deployment} and provider_id = ${provider} order by position`;

export async function findSettings(tx: Tx, ref: SettingsRef): Promise<SsoSettings | undefined> {
  const settings = await tx.one(Settings)`
    select groups_claim as "groupsClaim", id_token_alg as "idTokenAlg", is_email_trusted as "isEmailTrusted", version,
           email_claim as "emailClaim", saml_second_x509cert as "secondCertificate",
           saml_allows_idp_initiated as "allowsIdpInitiated"
    from sso_provider where deployment_id = ${ref.deployment} and id = ${ref.provider}`;
  return settings && { ...settings, groups: await listGroupRules(tx, ref) };
}

/** The teams that do not exist in the deployment. */
export async function findUnknownTeams(tx: Tx, deployment: string, teamIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.all(RowId)`
    select requested.id from unnest(${[...teamIds]}::bigint[]) as requested (id)
    where not exists (select from team where team.deployment_id = ${deployment} and team.id = requested.id)`;
  return new Set(rows.map(({ id }) => id));
}

/** Replaces the settings. The provider is locked. */
export async function saveSettings(
  tx: Tx,
  { deployment, provider }: SettingsRef,
  settings: Omit<SsoSettings, 'version'>,
): Promise<void> {
  const { groups } = settings;
  await tx.run`
    update sso_provider set groups_claim = ${settings.groupsClaim}, id_token_alg = ${settings.idTokenAlg},
      is_email_trusted = ${settings.isEmailTrusted}, email_claim = ${settings.emailClaim},
      saml_second_x509cert = ${settings.secondCertificate},
      saml_allows_idp_initiated = ${settings.allowsIdpInitiated}, version = version + 1
    where deployment_id = ${deployment} and id = ${provider}`;
  await tx.run`delete from sso_group where deployment_id = ${deployment} and provider_id = ${provider}`;
  await tx.run`
    insert into sso_group (deployment_id, provider_id, name, role, position)
    select ${deployment}, ${provider}, name, role, number
    from unnest(${groups.map(({ group }) => group)}::text[], ${groups.map(({ role }) => role ?? null)}::text[])
      with ordinality as given (name, role, number)`;
  const teams = groups.flatMap(({ group, teamIds }) => [...new Set(teamIds)].map((team) => ({ group, team })));
  await tx.run`
    insert into sso_group_team (deployment_id, provider_id, group_name, team_id)
    select ${deployment}, ${provider}, name, team_id
    from unnest(${teams.map(({ group }) => group)}::text[], ${teams.map(({ team }) => team)}::bigint[])
      as given (name, team_id)`;
}
