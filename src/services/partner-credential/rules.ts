/** The fixed texts that a check may answer with: whatever the other side said stays there. */
export const PARTNER_CHECK_ERRORS = [
  'invalid_client',
  'unreachable',
  'timeout',
  'tls',
  'denied_address',
  'bad_response',
  'secret_required',
  'unknown_credential',
] as const;
export type PartnerCheckError = (typeof PARTNER_CHECK_ERRORS)[number];

/** Whom a secret authenticates, and where it may be sent. */
export interface CredentialRecipient {
  clientId: string;
  tokenUrl: string;
  apiUrl: string;
}

export type PartnerCheckRequest = {
  [Member in keyof CredentialRecipient | 'id' | 'clientSecret']?: string | undefined;
};

export type PartnerCheckPlan =
  | { kind: 'refuse'; error: PartnerCheckError }
  | { kind: 'incomplete'; member: string }
  | { kind: 'check'; recipient: CredentialRecipient; isStored: boolean };

const MEMBERS = ['clientId', 'tokenUrl', 'apiUrl'] as const;

/** An empty text is what a client of the proto dialect sends for nothing. */
const given = (text: string | undefined): text is string => text !== undefined && text !== '';

export const isSameRecipient = (one: CredentialRecipient, other: CredentialRecipient): boolean =>
  MEMBERS.every((member) => one[member] === other[member]);

/**
 * What a check may do: a stored secret goes only to the client and the addresses that it was stored for, compared as
 * texts, because every spelling that is merely equivalent is a way around.
 */
export function planCheck(wish: PartnerCheckRequest, stored: CredentialRecipient | undefined): PartnerCheckPlan {
  if (given(wish.id) && !stored) return { kind: 'refuse', error: 'unknown_credential' };
  const known = given(wish.id) ? stored : undefined;
  if (!given(wish.clientSecret)) {
    const isOther = MEMBERS.some((member) => given(wish[member]) && wish[member] !== known?.[member]);
    if (!known || isOther) return { kind: 'refuse', error: 'secret_required' };
    return { kind: 'check', recipient: known, isStored: true };
  }
  const recipient = { clientId: '', tokenUrl: '', apiUrl: '' };
  for (const member of MEMBERS) {
    const text = given(wish[member]) ? wish[member] : known?.[member];
    if (text === undefined) return { kind: 'incomplete', member };
    recipient[member] = text;
  }
  return { kind: 'check', recipient, isStored: false };
}

const FROM_EGRESS: Readonly<Record<string, PartnerCheckError>> = {
  denied_address: 'denied_address',
  bad_url: 'denied_address',
  unreachable: 'unreachable',
  timeout: 'timeout',
  tls: 'tls',
};

/** The fixed text for a request that did not come about. */
export const errorOfFailure = (reason: string): PartnerCheckError => FROM_EGRESS[reason] ?? 'bad_response';

const REFUSALS: readonly unknown[] = ['invalid_client', 'unauthorized_client', 'access_denied', 'invalid_grant'];

/** What a token endpoint said, as far as it is believed: a usable token, or a fixed text. */
export function readTokenReply(status: number, body: string): { token: string } | { error: PartnerCheckError } {
  const reply = parseObject(body);
  if (status === 200) {
    const { access_token: token, token_type: type } = reply;
    const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer';
    const isUsable = typeof token === 'string' && /^[!-~]{1,16384}$/.test(token);
    return isBearer && isUsable ? { token } : { error: 'bad_response' };
  }
  const isRefusal = status === 401 || status === 403 || (status === 400 && REFUSALS.includes(reply['error']));
  return { error: isRefusal ? 'invalid_client' : 'bad_response' };
}

/** A vendor's API may dislike a bare question, once it has let the token in. */
const LET_IN: readonly number[] = [400, 405, 415, 422];

export function errorOfApiStatus(status: number): PartnerCheckError | undefined {
  if ((status >= 200 && status < 300) || LET_IN.includes(status)) return undefined;
  return status === 401 || status === 403 ? 'invalid_client' : 'bad_response';
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
