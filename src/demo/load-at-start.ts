import { listServerAdministrators } from '#domain/accounts/server-administrators.ts';
import { addAdministrators, createDemoDeployment } from '#domain/demo/create-demo.ts';
import { enqueueDemoLoad } from '#domain/demo/jobs.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Database } from '#kernel/db/database.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Log } from '#kernel/log/log.ts';

const SETTING = 'demo_at_start';
const RETRY_MS = 3000;

export type DemoOffer = 'ordered' | 'before' | 'nobody';

/** Enqueues the demo for the existing administrators, once: a demo that was removed is not loaded again. */
export async function offerDemo(tx: Tx, keys: KeyRing, now: Date): Promise<DemoOffer> {
  // Two servers that start at the same time must not both find the setting absent.
  await tx.run`select pg_advisory_xact_lock(hashtext('parapet demo'))`;
  const isLoaded = (await tx.rows`select from server_setting where key = ${SETTING}`).length > 0;
  if (isLoaded) return 'before';
  const administrators = await listServerAdministrators(tx);
  const [account] = administrators;
  if (account === undefined) return 'nobody';
  const { deployment } = await createDemoDeployment(tx, keys, { account, size: 'small', now });
  await addAdministrators(tx, deployment, administrators);
  await enqueueDemoLoad(tx, deployment);
  await tx.run`insert into server_setting (key, value) values (${SETTING}, ${deployment})`;
  return 'ordered';
}

interface StartOptions {
  db: Database;
  keys: KeyRing;
  log: Log;
  print: (line: string) => void;
  clock?: () => Date;
}

/** Enqueues the demo as soon as there is an administrator, which may be long after the start. */
export function loadDemoAtStart({ db, keys, log, print, clock = () => new Date() }: StartOptions): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const attempt = async () => {
    const offered = await db
      .transaction({ role: 'auth', isRead: false }, (tx) => offerDemo(tx, keys, clock()))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the demo could not be enqueued; it will be tried again');
        return 'nobody' as const;
      });
    if (offered === 'ordered') print('✓ a demo is being loaded (PARAPET_DEMO=1)');
    if (offered === 'nobody' && !isStopped) timer = setTimeout(() => void attempt(), RETRY_MS).unref();
  };
  void attempt();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
