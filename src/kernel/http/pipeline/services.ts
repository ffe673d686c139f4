import type { AuditFeed } from '#kernel/audit/audit-feed.ts';
import type { ChainVerifier } from '#kernel/audit/chain-verifier.ts';
import type { AccessTokens } from '#kernel/auth/access-token.ts';
import type { Semaphore } from '#kernel/concurrency/semaphore.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { ServerStatus } from '#kernel/db/server-status.ts';
import type { Mail } from '#kernel/mail/mail.ts';
import type { Egress } from '#kernel/outbound/egress.ts';
import type { Sleep } from '#kernel/outbound/quantized-time.ts';
import type { Spool } from '#kernel/spool/spool.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { LiveStreams } from './live-stream.ts';

/** What handlers may use beside the database. */
export interface Services {
  keys: KeyRing;
  egress: Egress;
  /** Waits: what answers only at fixed times after its start waits through this. */
  sleep: Sleep;
  mail: Mail;
  /** The public origin, without a slash at the end. */
  baseUrl: string;
  version: string;
  limits: RateLimits;
  accessTokens: AccessTokens;
  /** Where large bodies wait until they are worked on. */
  spool: Spool;
  /** Who may work on one: few at a time, so that requests find connections. */
  importSemaphore: Semaphore;
  /** What is being done, as it is recorded. */
  auditFeed: AuditFeed;
  /** Answers that have no end of their own. */
  liveStreams: LiveStreams;
  /** Verifies audit trails. */
  chainVerifier: ChainVerifier;
  /** What runs here, and how it is. */
  serverStatus: ServerStatus;
  /** False from the moment the server is told to stop. */
  isReady: () => boolean;
}
