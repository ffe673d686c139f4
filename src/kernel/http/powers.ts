import type { Auditor } from '#kernel/audit/auditor.ts';
import type { Feed } from '#kernel/audit/feed.ts';
import type { AccessTokens } from '#kernel/auth/access-token.ts';
import type { KeyRing } from '#kernel/crypto/keys.ts';
import type { Installation } from '#kernel/db/installation.ts';
import type { Mail } from '#kernel/mail/mail.ts';
import type { Egress } from '#kernel/outbound/client.ts';
import type { Pause } from '#kernel/outbound/steps.ts';
import type { Spool } from '#kernel/spool/spool.ts';
import type { Turns } from '#kernel/spool/turns.ts';
import type { Limits } from './limits.ts';
import type { LiveStreams } from './live.ts';

/** What handlers may use beside the database. */
export interface Powers {
  keys: KeyRing;
  egress: Egress;
  /** Waits: what answers only at fixed times after its start waits through this. */
  pause: Pause;
  mail: Mail;
  /** The public origin, without a slash at the end. */
  baseUrl: string;
  version: string;
  limits: Limits;
  accessTokens: AccessTokens;
  /** Where large bodies wait until they are worked on. */
  spool: Spool;
  /** Who may work on one: few at a time, so that requests find connections. */
  turns: Turns;
  /** What is being done, as it is recorded. */
  feed: Feed;
  /** Answers that have no end of their own. */
  live: LiveStreams;
  /** Verifies audit trails. */
  auditor: Auditor;
  /** What runs here, and how it is. */
  installation: Installation;
  /** False from the moment the server is told to stop. */
  isReady: () => boolean;
}
