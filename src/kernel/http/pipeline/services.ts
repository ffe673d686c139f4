import type { AuditFeed } from '#kernel/audit/audit-feed.ts';
import type { ChainVerifier } from '#kernel/audit/chain-verifier.ts';
import type { AccessTokens } from '#kernel/auth/access-token.ts';
import type { IssuerKeys } from '#kernel/auth/issuer-keys.ts';
import type { Semaphore } from '#kernel/concurrency/semaphore.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { InstanceCheck } from '#kernel/db/instance-check.ts';
import type { PageAnchors } from '#kernel/db/query/page-anchors.ts';
import type { ServerStatus } from '#kernel/db/server-status.ts';
import type { Mail } from '#kernel/mail/mail.ts';
import type { Egress } from '#kernel/outbound/egress.ts';
import type { Sleep } from '#kernel/outbound/quantized-time.ts';
import type { ResolveTxt } from '#kernel/outbound/txt-records.ts';
import type { Sandbox } from '#kernel/sandbox/sandbox.ts';
import type { DiskSpace } from '#kernel/spool/disk-space.ts';
import type { Spool } from '#kernel/spool/spool.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { LiveStreams } from './live-stream.ts';

/** What handlers may use besides the database. */
export interface Services {
  keys: KeyRing;
  egress: Egress;
  /** The keys of issuers whose tokens are verified. */
  issuerKeys: Pick<IssuerKeys, 'find'>;
  /** Reads TXT records, for proofs of domains. */
  resolveTxt: ResolveTxt;
  /** Replaced in tests of operations that answer only after fixed times. */
  sleep: Sleep;
  mail: Mail;
  /** The public origin, without a slash at the end. */
  baseUrl: string;
  version: string;
  /** Tells whether the database is a restored copy. */
  instance: InstanceCheck;
  /** The origin of Slack. */
  slackUrl: string;
  limits: RateLimits;
  /** How many deployments everybody can create; 0 if only administrators of the server can. */
  deploymentsPerPerson: number;
  accessTokens: AccessTokens;
  /** Stores large bodies on disk until they are imported. */
  spool: Spool;
  /** The folder with mappings of report formats. */
  formatsDir: string;
  /** Runs programs that read foreign code. */
  sandbox: Sandbox;
  /** The program that runs rules; empty for the one that is installed. */
  semgrepPath: string;
  /** Watches the disks that the server writes to. */
  diskSpace: DiskSpace;
  /** Limits the imports that run at once, so that requests still get database connections. */
  importSemaphore: Semaphore;
  /** Where pages of lists with page numbers begin. */
  pageAnchors: PageAnchors;
  /** Notifies of new audit records. */
  auditFeed: AuditFeed;
  liveStreams: LiveStreams;
  chainVerifier: ChainVerifier;
  serverStatus: ServerStatus;
  /** False as soon as the server is told to stop. */
  isReady: () => boolean;
}
