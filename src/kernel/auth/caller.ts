import type { AcceptedCredential } from '#kernel/contract/operation.ts';

/** The authenticated caller, in the deployment of the request. Never changed after authentication. */
export interface Caller {
  kind: 'user' | 'token' | 'nobody';
  /** Identifies the credential in the audit trail and in rate limits: a session, a token, or empty. */
  credential: string;
  /** The account behind a session; empty for tokens. */
  userId: string;
  name: string;
  email: string;
  /** The id of the deployment of the request or of the token; empty when there is none. */
  deployment: string;
  role: string;
  permissions: ReadonlySet<string>;
  /** False for members who see only some of the objects of the deployment. */
  seesEverything: boolean;
  /** The name key of the only object that a limited credential may use; such a credential does not see everything. */
  onlyName?: string;
}

export const anonymousCaller: Caller = {
  kind: 'nobody',
  credential: '',
  userId: '',
  name: '',
  email: '',
  deployment: '',
  role: '',
  permissions: new Set(),
  seesEverything: false,
};

/** What a request presents for authentication. */
export interface Credentials {
  /** The bearer credential as it was sent. */
  credential: string;
  /** The id or slug that the request names; undefined on routes without a deployment. */
  deploymentRef: string | undefined;
  /** True when the deployment is that of the credential, because nothing names one. */
  usesOwnDeployment: boolean;
  address: string;
  /** Called as soon as the caller is identified, also when they are refused afterwards. */
  onIdentified: (caller: Caller) => void;
  accepted: AcceptedCredential;
}

/** Authenticates callers, with the same order of checks on every route. */
export interface Authenticator {
  authenticate(credentials: Credentials): Promise<Caller>;
}
