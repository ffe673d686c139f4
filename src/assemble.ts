import { join } from 'node:path';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import { rooms as allRooms } from '#app';
import { PeopleDoor } from '#domain/access/door.ts';
import { TokenUse } from '#domain/people/token-use.ts';
import { Auditor } from '#kernel/audit/auditor.ts';
import { Denials } from '#kernel/audit/denials.ts';
import { Feed } from '#kernel/audit/feed.ts';
import { AccessTokens } from '#kernel/auth/access-token.ts';
import type { Config } from '#kernel/config/config.ts';
import { version } from '#kernel/config/version.ts';
import type { KeyRing } from '#kernel/crypto/keys.ts';
import { ed25519From } from '#kernel/crypto/signing-key.ts';
import { Database, importsAtOnce } from '#kernel/db/database.ts';
import { Installation } from '#kernel/db/installation.ts';
import { Nodes } from '#kernel/db/nodes.ts';
import type { Patience } from '#kernel/http/body.ts';
import { Edge } from '#kernel/http/edge.ts';
import type { Bound } from '#kernel/http/group.ts';
import { Limits } from '#kernel/http/limits.ts';
import { type LiveLimits, LiveStreams } from '#kernel/http/live.ts';
import { Observer } from '#kernel/http/observer.ts';
import type { Room } from '#kernel/http/openapi.ts';
import type { Pages } from '#kernel/http/pages.ts';
import type { Powers } from '#kernel/http/powers.ts';
import { Router } from '#kernel/http/router.ts';
import type { Log } from '#kernel/log/log.ts';
import { Mail } from '#kernel/mail/mail.ts';
import { Egress } from '#kernel/outbound/client.ts';
import { type Pause, pauseByClock } from '#kernel/outbound/steps.ts';
import { Spool } from '#kernel/spool/spool.ts';
import { Turns } from '#kernel/spool/turns.ts';

export interface Parts {
  config: Config;
  connection: pg.ClientConfig;
  keys: KeyRing;
  log: Log;
  registry: Registry;
  pages: Pages;
  clock?: () => Date;
  checksPrebuilt?: boolean;
  egress?: Egress;
  pause?: Pause;
  patience?: Patience;
  live?: Partial<LiveLimits>;
  feedMs?: number;
  /** Other rooms than those of the house: for tests of what no room of it does. */
  rooms?: readonly Room[];
}

/** A server whose parts are joined and which listens as soon as it is told to. */
export interface Assembly {
  edge: Edge;
  db: Database;
  powers: Powers;
  nodes: Nodes;
  /** Tells the parts the public origin, once the port is known. */
  announce(baseUrl: string): void;
  /** Turns readiness off: the first step of stopping. */
  retire(): void;
  /** Writes what is still in memory: uses of tokens, and refusals for the audit trail. */
  flush(): Promise<void>;
  /** Writes what is still in memory and gives the connections back. */
  close(): Promise<void>;
}

/** The router's table is made from the rooms and from nothing else: an undeclared route cannot be. */
export function routerOf(rooms: readonly Room[] = allRooms): Router<Bound> {
  const router = new Router<Bound>();
  for (const { group } of rooms)
    for (const bound of group.bound) router.add(bound.operation.method, bound.operation.template, bound);
  return router;
}

const databaseOf = ({ config, connection, log }: Parts): Database =>
  new Database({
    connection,
    poolMax: config.databasePool,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });

function powersOf(parts: Parts, made: Pick<Powers, 'limits' | 'accessTokens' | 'isReady'> & { db: Database }): Powers {
  const { config, keys, egress, pause, live, feedMs, clock = () => new Date() } = parts;
  const { db, ...ready } = made;
  return {
    ...ready,
    keys,
    egress: egress ?? new Egress({ allow: config.egressAllow }),
    pause: pause ?? pauseByClock,
    mail: new Mail({ url: config.smtpUrl, from: config.mailFrom }),
    baseUrl: '',
    version,
    spool: new Spool(join(config.dataDir, 'spool')),
    turns: new Turns(importsAtOnce(config.databasePool)),
    feed: new Feed({ db, ...(feedMs === undefined ? {} : { intervalMs: feedMs }) }),
    live: new LiveStreams(live),
    auditor: new Auditor(db, [ed25519From(keys.derive('audit-checkpoint'))]),
    installation: new Installation({
      db,
      dataDir: config.dataDir,
      isEmbedded: config.databaseUrl === '',
      startedAt: clock(),
    }),
  };
}

/** Joins the kernel's powers and the rooms into one server. */
export function assemble(parts: Parts): Assembly {
  const { config, keys, log, registry, pages, clock = () => new Date() } = parts;
  const db = databaseOf(parts);
  const nodes = new Nodes(db, log);
  const limits = new Limits(config, () => nodes.count);
  const accessTokens = new AccessTokens(keys);
  const tokenUse = new TokenUse(db, clock);
  const denials = new Denials({ db, key: keys.derive('audit'), log, clock });
  let isRetired = false;
  const powers = powersOf(parts, { db, limits, accessTokens, isReady: () => !isRetired });
  const door = new PeopleDoor({ db, accessTokens, tokenKey: keys.derive('api-token'), tokenUse, clock });
  const edge = new Edge({
    kit: {
      router: routerOf(parts.rooms),
      door,
      db,
      limits,
      workshop: { db, powers, clock, checksPrebuilt: parts.checksPrebuilt ?? false },
    },
    pages,
    proxies: config.trustedProxies,
    observer: new Observer({ log, denials, registry }),
    version,
    onDrain: () => powers.live.close(),
    ...(parts.patience ? { patience: parts.patience } : {}),
  });
  const flush = async () => {
    await denials.flush();
    await tokenUse.flush();
  };
  return {
    edge,
    db,
    powers,
    nodes,
    announce: (baseUrl) => {
      powers.baseUrl = baseUrl;
    },
    retire: () => {
      isRetired = true;
    },
    flush,
    close: async () => {
      powers.feed.close();
      await flush();
      await nodes.leave();
      await db.close();
    },
  };
}
