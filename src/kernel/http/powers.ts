import type { AccessTokens } from '#kernel/auth/access-token.ts';
import type { KeyRing } from '#kernel/crypto/keys.ts';
import type { Mail } from '#kernel/mail/mail.ts';
import type { Egress } from '#kernel/outbound/client.ts';
import type { Pause } from '#kernel/outbound/steps.ts';
import type { Spool } from '#kernel/spool/spool.ts';
import type { Turns } from '#kernel/spool/turns.ts';
import type { Limits } from './limits.ts';

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
  /** False from the moment the server is told to stop. */
  isReady: () => boolean;
}
