import { z } from 'zod';
import { openSecret } from '#domain/deployments/secrets.ts';
import { count } from '#kernel/contract/proto-fields.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Secret } from '#kernel/crypto/secret.ts';
import type { Tx } from '#kernel/db/tx.ts';

const ProviderRow = z.object({
  id: z.string(),
  type: z.string(),
  displayName: z.string(),
  emailDomain: z.string(),
  isEnabled: z.boolean(),
  version: count(),
  baseUrl: z.string(),
  clientId: z.string(),
  sealedSecret: z.string().optional(),
  wellKnownUrl: z.string(),
  authUri: z.string(),
  tokenUri: z.string(),
  userinfoUri: z.string(),
  groupsClaim: z.string(),
  idTokenAlg: z.string(),
  isEmailTrusted: z.boolean(),
  emailClaim: z.string(),
  idpIssuer: z.string(),
  idpSsoUrl: z.string(),
  x509cert: z.string(),
  secondX509cert: z.string(),
  spEntityId: z.string(),
  unspecifiedAuthnContext: z.boolean(),
  allowsIdpInitiated: z.boolean(),
});

/** An identity provider with all that a sign-in needs. */
export type SignInProvider = Omit<z.output<typeof ProviderRow>, 'sealedSecret'> & {
  deployment: string;
  clientSecret: Secret | undefined;
};

export interface SignInProviderRef {
  deployment: string;
  provider: string;
}

/** Read in the deployment, because only there its secret can be opened. */
export async function findSignInProvider(
  tx: Tx,
  keys: KeyRing,
  { deployment, provider }: SignInProviderRef,
): Promise<SignInProvider | undefined> {
  const row = await tx.one(ProviderRow)`
    select id, type, display_name as "displayName", email_domain as "emailDomain", is_enabled as "isEnabled", version,
           base_url as "baseUrl", openid_client_id as "clientId", openid_client_secret as "sealedSecret",
           openid_well_known_url as "wellKnownUrl", openid_auth_uri as "authUri", openid_token_uri as "tokenUri",
           openid_userinfo_uri as "userinfoUri", groups_claim as "groupsClaim", id_token_alg as "idTokenAlg",
           is_email_trusted as "isEmailTrusted", email_claim as "emailClaim", saml_idp_issuer as "idpIssuer",
           saml_idp_sso_url as "idpSsoUrl", saml_x509cert as "x509cert", saml_second_x509cert as "secondX509cert",
           saml_sp_entity_id as "spEntityId", saml_unspecified_authn_context as "unspecifiedAuthnContext",
           saml_allows_idp_initiated as "allowsIdpInitiated"
    from sso_provider where deployment_id = ${deployment} and id = ${provider}`;
  if (!row) return undefined;
  const { sealedSecret, ...rest } = row;
  const at = { deployment, table: 'sso_provider', column: 'openid_client_secret', row: row.id };
  const clientSecret = sealedSecret === undefined ? undefined : await openSecret(tx, keys, at, sealedSecret);
  return { ...rest, deployment, clientSecret };
}

const SignInWay = z.object({ deployment: z.string(), provider: z.string(), name: z.string(), type: z.string() });
export type SignInWay = z.output<typeof SignInWay>;

const MAX_WAYS = 20;

/**
 * The enabled providers that can sign somebody in: those of a deployment, or those of the deployment that owns the
 * domain of an e-mail address. A provider without a proved domain signs nobody in.
 */
export const listSignInWays = (tx: Tx, { slug, domain }: { slug: string | null; domain: string | null }) =>
  tx.all(SignInWay)`
    select sso_provider.deployment_id as deployment, sso_provider.id as provider, sso_provider.display_name as name,
           sso_provider.type
    from deployment join sso_provider on sso_provider.deployment_id = deployment.id
    where is_enabled and type <> 'SSO_TYPE_SIMPLE'
      and (${slug}::text is null or deployment.slug = ${slug})
      and exists (select from deployment_domain
        where deployment_domain.deployment_id = deployment.id and proved_at is not null
          and (email_domain = '' or email_domain = deployment_domain.domain)
          and (${domain}::text is null or deployment_domain.domain = ${domain}))
    order by sso_provider.id limit ${MAX_WAYS}::int`;

const OnlySlug = z.object({ slug: z.string() });

/** The slug of the deployment if the server has exactly one. */
export async function findOnlySlug(tx: Tx): Promise<string | undefined> {
  const rows = await tx.all(OnlySlug)`select slug from deployment order by id limit 2`;
  return rows.length === 1 ? rows[0]?.slug : undefined;
}

const Owner = z.object({ deployment: z.string() });

/** The deployment of a provider, for requests that name only the provider. */
export async function findDeploymentOf(tx: Tx, provider: string): Promise<string | undefined> {
  const row = await tx.one(Owner)`select deployment_id as deployment from sso_provider where id = ${provider}`;
  return row?.deployment;
}
