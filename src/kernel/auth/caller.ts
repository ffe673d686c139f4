import type { AcceptedCredential } from '#kernel/contract/operation.ts';

/** Who is calling, in the deployment the path names: made at the door, read everywhere, never changed. */
export interface Caller {
  kind: 'user' | 'token' | 'nobody';
  /** Names the credential in the audit trail and in rate limits: a session, a token, or nothing. */
  credential: string;
  /** The account behind a session; empty for tokens. */
  userId: string;
  name: string;
  email: string;
  /** The deployment of the path, or of the token; empty where there is none. */
  deployment: string;
  role: string;
  permissions: ReadonlySet<string>;
  /** False for members who see only what their teams see. */
  seesEverything: boolean;
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

/** What the door asks for: the credential as sent, and the deployment as the path spells it. */
export interface Credentials {
  credential: string;
  /** Undefined on routes without a deployment. */
  deploymentRef: string | undefined;
  /** Nothing names the deployment, and it is that of the credential. */
  usesOwnDeployment: boolean;
  address: string;
  /** Told who it is as soon as that is sure, also when they are then refused. */
  onIdentified: (caller: Caller) => void;
  accepted: AcceptedCredential;
}

/** Turns credentials into callers, in the order of checks that every route shares. */
export interface Authenticator {
  authenticate(knock: Credentials): Promise<Caller>;
}
