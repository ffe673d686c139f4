import { join } from 'node:path';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import { rooms as allRooms } from '#app';
import { CredentialAuthenticator } from '#domain/accounts/authenticator.ts';
import { TokenUsageRecorder } from '#domain/accounts/token-usage.ts';
import { loadMirroredRules } from '#domain/rules/shipped-rules.ts';
import { AuditFeed } from '#kernel/audit/audit-feed.ts';
import { ChainVerifier } from '#kernel/audit/chain-verifier.ts';
import { DenialLog } from '#kernel/audit/denial-log.ts';
import { AccessTokens } from '#kernel/auth/access-token.ts';
import { IssuerKeys } from '#kernel/auth/issuer-keys.ts';
import { Semaphore } from '#kernel/concurrency/semaphore.ts';
import type { Config } from '#kernel/config/config.ts';
import { version } from '#kernel/config/version.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { ed25519From } from '#kernel/crypto/keys/signing-key.ts';
import { Database, MAX_WAITING_IMPORTS, maxConcurrentImports } from '#kernel/db/database.ts';
import type { InstanceCheck } from '#kernel/db/instance-check.ts';
import { NodeRegistry } from '#kernel/db/node-registry.ts';
import { PageAnchors } from '#kernel/db/query/page-anchors.ts';
import { ServerStatus } from '#kernel/db/server-status.ts';
import { HttpServer } from '#kernel/http/edge/http-server.ts';
import type { BodyTimeouts } from '#kernel/http/edge/request-body.ts';
import { RequestObserver } from '#kernel/http/edge/request-observer.ts';
import type { StaticPages } from '#kernel/http/edge/static-pages.ts';
import { RateLimits } from '#kernel/http/limits/rate-limits.ts';
import type { Room } from '#kernel/http/openapi/example-calls.ts';
import type { BoundOperation } from '#kernel/http/pipeline/group.ts';
import { type LiveLimits, LiveStreams } from '#kernel/http/pipeline/live-stream.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import { Router } from '#kernel/http/request/router.ts';
import type { Log } from '#kernel/log/log.ts';
import { Mail } from '#kernel/mail/mail.ts';
import { Egress } from '#kernel/outbound/egress.ts';
import { type Sleep, sleepByTimer } from '#kernel/outbound/quantized-time.ts';
import { type ResolveTxt, resolveTxtBySystem } from '#kernel/outbound/txt-records.ts';
import { Sandbox } from '#kernel/sandbox/sandbox.ts';
import { DiskSpace, type ReadDisk } from '#kernel/spool/disk-space.ts';
import { ProcessFolder } from '#kernel/spool/process-folder.ts';
import { Spool } from '#kernel/spool/spool.ts';
import { instanceCheckOf } from './storage.ts';

export interface AssemblyParts {
  config: Config;
  connection: pg.ClientConfig;
  keys: KeyRing;
  log: Log;
  registry: Registry;
  pages: StaticPages;
  clock?: () => Date;
  checksPrebuilt?: boolean;
  egress?: Egress;
  resolveTxt?: ResolveTxt;
  sleep?: Sleep;
  bodyTimeouts?: BodyTimeouts;
  readDisk?: ReadDisk;
  live?: Partial<LiveLimits>;
  feedMs?: number;
  /** Other rooms than those of the application: for tests of features that no room uses. */
  rooms?: readonly Room[];
}

/** A complete server, ready to listen. */
export interface Assembly {
  httpServer: HttpServer;
  db: Database;
  services: Services;
  nodes: NodeRegistry;
  instance: InstanceCheck;
  /** Sets the public origin, once the port is known. */
  setBaseUrl(baseUrl: string): void;
  /** Makes the readiness check fail: the first step of stopping. */
  markNotReady(): void;
  /** Writes what is still in memory: uses of tokens, and denials for the audit trail. */
  flush(): Promise<void>;
  /** Writes what is still in memory and closes the connections. */
  close(): Promise<void>;
}

/** What a killed process leaves behind is code of others, so it is removed sooner than uploads. */
const SANDBOX_TIMES = { heartbeatMs: 5000, abandonedMs: 30_000 };

/** Builds the router from the contracts of the rooms, so that every route is declared. */
export function routerOf(rooms: readonly Room[] = allRooms): Router<BoundOperation> {
  const router = new Router<BoundOperation>();
  for (const { group } of rooms)
    for (const bound of group.operations) router.add(bound.operation.method, bound.operation.template, bound);
  return router;
}

const databaseOf = ({ config, connection, log }: AssemblyParts): Database =>
  new Database({
    connection,
    poolMax: config.databasePool,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });

const diskSpaceOf = ({ config, readDisk }: AssemblyParts): DiskSpace =>
  new DiskSpace({
    folders: {
      spool: join(config.dataDir, 'spool'),
      ...(config.databaseUrl === '' && { database: join(config.dataDir, 'postgres') }),
    },
    minFreeBytes: config.minFreeDiskMb * 1024 ** 2,
    readDisk,
  });

function servicesOf(
  parts: AssemblyParts,
  created: Pick<Services, 'limits' | 'accessTokens' | 'isReady'> & { db: Database },
): Services {
  const { config, keys, sleep, live, feedMs, clock = () => new Date() } = parts;
  const egress = parts.egress ?? new Egress({ allow: config.egressAllow });
  const { db, ...ready } = created;
  const diskSpace = diskSpaceOf(parts);
  const folder = new ProcessFolder(join(config.dataDir, 'spool'));
  return {
    ...ready,
    keys,
    egress,
    issuerKeys: new IssuerKeys(egress, clock),
    resolveTxt: parts.resolveTxt ?? resolveTxtBySystem,
    sleep: sleep ?? sleepByTimer,
    mail: new Mail({ url: config.smtpUrl, from: config.mailFrom }),
    baseUrl: '',
    version,
    instance: instanceCheckOf(config, db),
    slackUrl: config.slackUrl,
    spool: new Spool({ folder, diskSpace }),
    formatsDir: config.formatsDir,
    sandbox: new Sandbox({
      folder: new ProcessFolder(join(config.dataDir, 'sandbox'), SANDBOX_TIMES),
      minLevel: config.sandbox,
    }),
    semgrepPath: config.semgrep,
    deploymentsPerPerson: config.deploymentsPerPerson,
    diskSpace,
    pageAnchors: new PageAnchors(),
    importSemaphore: new Semaphore({
      maxRunning: maxConcurrentImports(config.databasePool),
      maxWaiting: MAX_WAITING_IMPORTS,
    }),
    auditFeed: new AuditFeed({ db, ...(feedMs === undefined ? {} : { intervalMs: feedMs }) }),
    liveStreams: new LiveStreams(live),
    chainVerifier: new ChainVerifier(db, [ed25519From(keys.derive('audit-checkpoint'))]),
    serverStatus: new ServerStatus({
      db,
      diskSpace,
      isEmbedded: config.databaseUrl === '',
      startedAt: clock(),
    }),
  };
}

/** Assembles a server from the kernel and the rooms. */
export function assemble(parts: AssemblyParts): Assembly {
  const { config, keys, log, registry, pages, clock = () => new Date() } = parts;
  loadMirroredRules(config.rulesDir);
  const db = databaseOf(parts);
  const nodes = new NodeRegistry(db, log);
  const limits = new RateLimits(config, () => nodes.count);
  const accessTokens = new AccessTokens(keys);
  const tokenUse = new TokenUsageRecorder(db, clock);
  const denials = new DenialLog({ db, key: keys.derive('audit'), log, clock });
  let isStopping = false;
  const services = servicesOf(parts, { db, limits, accessTokens, isReady: () => !isStopping });
  const authenticator = new CredentialAuthenticator({
    db,
    accessTokens,
    tokenKey: keys.derive('api-token'),
    tokenUse,
    clock,
  });
  const httpServer = new HttpServer({
    context: {
      router: routerOf(parts.rooms),
      authenticator,
      db,
      limits,
      transactions: { db, services, clock, checksPrebuilt: parts.checksPrebuilt ?? false },
    },
    pages,
    proxies: config.trustedProxies,
    observer: new RequestObserver({ log, denials, registry }),
    version,
    onDrain: () => services.liveStreams.close(),
    ...(parts.bodyTimeouts ? { bodyTimeouts: parts.bodyTimeouts } : {}),
  });
  const flush = async () => {
    await denials.flush();
    await tokenUse.flush();
  };
  return {
    httpServer,
    db,
    services,
    nodes,
    instance: services.instance,
    setBaseUrl: (baseUrl) => {
      services.baseUrl = baseUrl;
    },
    markNotReady: () => {
      isStopping = true;
    },
    flush,
    close: async () => {
      services.auditFeed.close();
      await services.spool.close().catch((err) => log.warn({ err }, 'the spool folder cannot be removed'));
      await services.sandbox.close().catch((err) => log.warn({ err }, 'the sandbox folder cannot be removed'));
      await flush();
      await nodes.leave();
      await db.close();
    },
  };
}
