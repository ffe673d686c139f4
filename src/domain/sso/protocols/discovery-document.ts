import { z } from 'zod';
import type { Egress } from '#kernel/outbound/egress.ts';

const SUFFIX = '/.well-known/openid-configuration';

const urlText = z
  .string()
  .max(2048)
  .refine((text) => URL.canParse(text));
const DiscoveryDocument = z.looseObject({
  issuer: urlText,
  authorization_endpoint: urlText,
  token_endpoint: urlText,
  jwks_uri: urlText,
  userinfo_endpoint: urlText.optional(),
  end_session_endpoint: urlText.optional(),
  scopes_supported: z.array(z.string()).optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
export type DiscoveryDocument = z.output<typeof DiscoveryDocument>;

/** The URLs of a provider as they are stored; those that are empty come from the discovery document. */
export interface StoredEndpoints {
  wellKnownUrl: string;
  authUri: string;
  tokenUri: string;
  userinfoUri: string;
}

export type DiscoveryMismatch = 'issuer_mismatch' | 'endpoint_mismatch' | 'denied_address';

/** How a discovery document disagrees with the stored provider, or undefined. */
export function checkDiscoveryDocument(
  { wellKnownUrl, authUri, tokenUri, userinfoUri }: StoredEndpoints,
  document: DiscoveryDocument,
  isCallable: (url: string) => boolean,
): DiscoveryMismatch | undefined {
  const issuer = wellKnownUrl.endsWith(SUFFIX) ? wellKnownUrl.slice(0, -SUFFIX.length) : undefined;
  // RFC 8414 and OpenID Discovery: the issuer is exactly the URL of the document without its suffix.
  if (issuer !== undefined && document.issuer.replace(/\/$/, '') !== issuer) return 'issuer_mismatch';
  const pairs: [stored: string, announced: string | undefined][] = [
    [authUri, document.authorization_endpoint],
    [tokenUri, document.token_endpoint],
    [userinfoUri, document.userinfo_endpoint],
  ];
  if (pairs.some(([stored, announced]) => stored !== '' && stored !== announced)) return 'endpoint_mismatch';
  const called = [document.token_endpoint, document.jwks_uri, document.userinfo_endpoint];
  return called.every((url) => url === undefined || isCallable(url)) ? undefined : 'denied_address';
}

function parseDocument(text: string): DiscoveryDocument | undefined {
  try {
    return DiscoveryDocument.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Fetches a discovery document; undefined if the answer is none. */
export async function fetchDiscoveryDocument(
  egress: Egress,
  { url, tenant, timeoutMs }: { url: string; tenant: string; timeoutMs: number },
): Promise<DiscoveryDocument | undefined> {
  const headers = { accept: 'application/json' };
  const reply = await egress.request({ url, method: 'GET', headers, tenant, timeoutMs });
  return reply.status === 200 ? parseDocument(reply.body.toString('utf8')) : undefined;
}

/** Where the discovery document of a provider is; empty if the provider has none. */
export function discoveryUrlOf({
  type,
  baseUrl,
  wellKnownUrl,
}: {
  type: string;
  baseUrl: string;
  wellKnownUrl: string;
}) {
  if (wellKnownUrl !== '') return wellKnownUrl;
  if (type === 'SSO_TYPE_GOOGLE') return `https://accounts.google.com${SUFFIX}`;
  if (type === 'SSO_TYPE_GITLAB') return `${(baseUrl || 'https://gitlab.com').replace(/\/$/, '')}${SUFFIX}`;
  return '';
}
