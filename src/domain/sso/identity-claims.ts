import { SsoRefusal } from './sso-refusal.ts';

/** Who signs in, according to verified claims of a provider. */
export interface VerifiedIdentity {
  issuer: string;
  subject: string;
  email: string;
  isEmailVerified: boolean;
  name: string;
  groups: string[];
}

export type IdentityClaims = Readonly<Record<string, unknown>>;

const MAX_GROUPS = 1000;
const MAX_TEXT = 320;
const EMAIL = /^[^\s@\p{Cc}]{1,64}@([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z\d-]{2,}$/iu;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** A claim by its name, or by a path such as `realm_access.roles`. */
export function claimAt(claims: IdentityClaims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as IdentityClaims)[step];
  }
  return value;
}

/** The groups of a claim: a list of texts, or one text. Other values give no group. */
export function groupsIn(claims: IdentityClaims, path: string): string[] {
  const value = path === '' ? undefined : claimAt(claims, path);
  const all = (Array.isArray(value) ? value : [value]).map(textOf).filter((group) => group !== '');
  return [...new Set(all)].slice(0, MAX_GROUPS);
}

/** The domain of an address, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Reads who signs in. Only the issuer and the subject identify them; the e-mail address finds an account once. */
export function readIdentity(
  claims: IdentityClaims,
  { issuer, groupsClaim, isEmailTrusted }: { issuer: string; groupsClaim: string; isEmailTrusted: boolean },
): VerifiedIdentity {
  const subject = textOf(claims['sub']);
  if (subject === '' || subject.length > 1024) throw new SsoRefusal('claims', 'The claim `sub` is missing.');
  const email = textOf(claims['email']);
  if (email === '') throw new SsoRefusal('email_present', 'The claim `email` is missing.');
  if (email.length > MAX_TEXT || !EMAIL.test(email))
    throw new SsoRefusal('email_present', 'The claim `email` is not an e-mail address.');
  const verified = claims['email_verified'];
  const isDenied = verified === false || verified === 'false';
  const isEmailVerified = verified === true || verified === 'true' || (isEmailTrusted && !isDenied);
  const name = textOf(claims['name']) || [claims['given_name'], claims['family_name']].map(textOf).join(' ').trim();
  return {
    issuer,
    subject,
    email,
    isEmailVerified,
    name: cleanName(name) || email.slice(0, email.lastIndexOf('@')),
    groups: groupsIn(claims, groupsClaim),
  };
}

const cleanName = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 128);
