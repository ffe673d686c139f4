import { nameKey } from '#domain/deployments/rules.ts';
import { sealSecret } from '#domain/deployments/secrets.ts';
import { count } from '#kernel/contract/proto-fields.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Secret } from '#kernel/crypto/secret.ts';
import { RowCount, RowId } from '#kernel/db/query/row-schemas.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { DeploymentSsoProvider } from './contract.ts';
import { SECRET_MASK, type SsoProviderDraft } from './rules.ts';

const Versioned = DeploymentSsoProvider.extend({ version: count() });

export interface SsoProviderRef {
  deployment: string;
  id: string;
}

/** The secret itself is never selected, only whether there is one. */
const columns = sql`
  id, deployment_id as "deploymentId", is_enabled as enabled, id as "sourceId", version,
  (select count(*) from sso_identity
   where sso_identity.deployment_id = sso_provider.deployment_id and sso_identity.provider_id = sso_provider.id
  ) as "userCount",
  json_build_object(
    'id', id::text, 'name', name, 'type', type, 'displayName', display_name, 'emailDomain', email_domain,
    'baseUrl', base_url,
    'openidData', json_build_object(
      'clientId', openid_client_id,
      'clientSecret', case when openid_client_secret is null then '' else ${SECRET_MASK} end,
      'wellKnownUrl', openid_well_known_url, 'authUri', openid_auth_uri, 'tokenUri', openid_token_uri,
      'userinfoUri', openid_userinfo_uri),
    'saml2Data', json_build_object(
      'idpIssuer', saml_idp_issuer, 'idpSsoUrl', saml_idp_sso_url, 'x509cert', saml_x509cert,
      'unspecifiedAuthnContext', saml_unspecified_authn_context, 'spEntityId', saml_sp_entity_id),
    'simpleData', json_build_object()) as provider`;

export const list = (tx: Tx, deployment: string) =>
  tx.all(DeploymentSsoProvider)`select ${columns} from sso_provider where deployment_id = ${deployment} order by id`;

export const find = (tx: Tx, { deployment, id }: SsoProviderRef) =>
  tx.one(Versioned)`select ${columns} from sso_provider where deployment_id = ${deployment} and id = ${id}`;

/** Locks the provider until the end of the transaction; false if it does not exist. */
export const lockProvider = async (tx: Tx, { deployment, id }: SsoProviderRef): Promise<boolean> =>
  (await tx.rows`select from sso_provider where deployment_id = ${deployment} and id = ${id} for no key update`)
    .length > 0;

export async function countAll(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`select count(*) as count from sso_provider where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

/** The id of the new provider, or undefined if another provider has that name. */
export async function insert(
  tx: Tx,
  deployment: string,
  { draft, isEnabled }: { draft: SsoProviderDraft; isEnabled: boolean },
): Promise<string | undefined> {
  const { openidData: openid, saml2Data: saml } = draft;
  const row = await tx.one(RowId)`
    insert into sso_provider (
      deployment_id, name, name_key, display_name, email_domain, base_url, type, is_enabled,
      openid_client_id, openid_well_known_url, openid_auth_uri, openid_token_uri, openid_userinfo_uri,
      saml_idp_issuer, saml_idp_sso_url, saml_x509cert, saml_sp_entity_id, saml_unspecified_authn_context)
    values (
      ${deployment}, ${draft.name}, ${nameKey(draft.name)}, ${draft.displayName}, ${draft.emailDomain},
      ${draft.baseUrl}, ${draft.type}, ${isEnabled},
      ${openid.clientId}, ${openid.wellKnownUrl}, ${openid.authUri}, ${openid.tokenUri}, ${openid.userinfoUri},
      ${saml.idpIssuer}, ${saml.idpSsoUrl}, ${saml.x509cert}, ${saml.spEntityId}, ${saml.unspecifiedAuthnContext})
    on conflict do nothing
    returning id`;
  return row?.id;
}

/** False if another provider has that name. The caller has locked the deployment. */
export async function update(
  tx: Tx,
  { deployment, id }: SsoProviderRef,
  { draft, isEnabled }: { draft: SsoProviderDraft; isEnabled: boolean },
): Promise<boolean> {
  const { openidData: openid, saml2Data: saml } = draft;
  const changed = await tx.run`
    update sso_provider set
      name = ${draft.name}, name_key = ${nameKey(draft.name)}, display_name = ${draft.displayName},
      email_domain = ${draft.emailDomain}, base_url = ${draft.baseUrl}, type = ${draft.type},
      is_enabled = ${isEnabled}, openid_client_id = ${openid.clientId},
      openid_well_known_url = ${openid.wellKnownUrl}, openid_auth_uri = ${openid.authUri},
      openid_token_uri = ${openid.tokenUri}, openid_userinfo_uri = ${openid.userinfoUri},
      saml_idp_issuer = ${saml.idpIssuer}, saml_idp_sso_url = ${saml.idpSsoUrl}, saml_x509cert = ${saml.x509cert},
      saml_sp_entity_id = ${saml.spEntityId}, saml_unspecified_authn_context = ${saml.unspecifiedAuthnContext},
      version = version + 1
    where deployment_id = ${deployment} and id = ${id}
      and not exists (select from sso_provider as other
        where other.deployment_id = ${deployment} and other.id <> ${id} and other.name_key = ${nameKey(draft.name)})`;
  return changed === 1;
}

/** Sets or, if undefined, removes the secret, which is bound to its row. */
export async function setSecret(tx: Tx, keys: KeyRing, ref: SsoProviderRef, secret: Secret | undefined): Promise<void> {
  const { deployment, id } = ref;
  const location = { deployment, table: 'sso_provider', column: 'openid_client_secret', row: id };
  const sealed = secret === undefined ? null : await sealSecret(tx, keys, location, secret);
  await tx.run`
    update sso_provider set openid_client_secret = ${sealed} where deployment_id = ${deployment} and id = ${id}`;
}

export const remove = (tx: Tx, { deployment, id }: SsoProviderRef): Promise<number> =>
  tx.run`delete from sso_provider where deployment_id = ${deployment} and id = ${id}`;
