/** The errors that a check can return; the reply of the vendor is never passed on. */
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

/** The client that a secret authenticates, and the URLs to which it may be sent. */
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

/** Clients of the proto dialect send an empty text for an absent value. */
const isGiven = (text: string | undefined): text is string => text !== undefined && text !== '';

export const isSameRecipient = (left: CredentialRecipient, right: CredentialRecipient): boolean =>
  MEMBERS.every((member) => left[member] === right[member]);

/**
 * What a check may do: a stored secret is used only for the client and the URLs for which it was stored. They are
 * compared as text, because equivalent spellings could be used to bypass the check.
 */
export function planCheck(request: PartnerCheckRequest, stored: CredentialRecipient | undefined): PartnerCheckPlan {
  if (isGiven(request.id) && !stored) return { kind: 'refuse', error: 'unknown_credential' };
  const reference = isGiven(request.id) ? stored : undefined;
  if (!isGiven(request.clientSecret)) {
    const differs = MEMBERS.some((member) => isGiven(request[member]) && request[member] !== reference?.[member]);
    if (!reference || differs) return { kind: 'refuse', error: 'secret_required' };
    return { kind: 'check', recipient: reference, isStored: true };
  }
  const recipient = { clientId: '', tokenUrl: '', apiUrl: '' };
  for (const member of MEMBERS) {
    const text = isGiven(request[member]) ? request[member] : reference?.[member];
    if (text === undefined) return { kind: 'incomplete', member };
    recipient[member] = text;
  }
  return { kind: 'check', recipient, isStored: false };
}

const ERROR_BY_EGRESS_REASON: Readonly<Record<string, PartnerCheckError>> = {
  denied_address: 'denied_address',
  bad_url: 'denied_address',
  unreachable: 'unreachable',
  timeout: 'timeout',
  tls: 'tls',
};

/** The error for a request that failed without a reply. */
export const errorOfFailure = (reason: string): PartnerCheckError => ERROR_BY_EGRESS_REASON[reason] ?? 'bad_response';

const REFUSALS: readonly unknown[] = ['invalid_client', 'unauthorized_client', 'access_denied', 'invalid_grant'];

/** Parses the reply of a token endpoint: a usable token, or an error. */
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

/** Statuses that show that the API accepted the token, though not the request. */
const AUTHENTICATED_STATUSES: readonly number[] = [400, 405, 415, 422];

export function errorOfApiStatus(status: number): PartnerCheckError | undefined {
  if ((status >= 200 && status < 300) || AUTHENTICATED_STATUSES.includes(status)) return undefined;
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
