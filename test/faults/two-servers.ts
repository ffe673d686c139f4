import { urlOf } from '#test/support/world/database.ts';
import { type Campaign, type CampaignOptions, type FaultFigure, randomFrom, sleep } from './campaign.ts';
import { difference, results, type Sender, sarif, sendReport, traceOf } from './import-reports.ts';
import { Installation, type Run } from './installation.ts';
import { killTree } from './processes.ts';

const BEFORE = sarif(results(0, 400));
const AFTER = sarif(results(150, 600, 3));
const RETRY_MS = 200;
const TIMEOUT_MS = 60_000;

type Victim = 'the first server' | 'the second server' | 'PostgreSQL';
const VICTIMS: readonly Victim[] = ['the first server', 'the second server', 'PostgreSQL'];

/** Two servers on one database; while both import, one of them or PostgreSQL is killed. */
export const twoServers: Campaign = {
  defaultCycles: 100,
  async run({ cycles, seed, log }: CampaignOptions): Promise<FaultFigure[]> {
    const pair = await ServerPair.start();
    const wrong: string[] = [];
    const hits = new Map<Victim, number>(VICTIMS.map((victim) => [victim, 0]));
    try {
      const usualMs = await pair.importUndisturbed();
      const random = randomFrom(seed);
      for (let cycle = 1; cycle <= cycles; cycle++) {
        const victim = VICTIMS[cycle % VICTIMS.length] ?? 'PostgreSQL';
        const outcome = await pair.killDuringImports(cycle, victim, usualMs * random());
        if (outcome.isDuringImport) hits.set(victim, (hits.get(victim) ?? 0) + 1);
        wrong.push(...outcome.wrong.map((line) => `cycle ${cycle}, ${victim}: ${line}`));
        if (cycle % 5 === 0) log(`${cycle} kills`);
      }
    } finally {
      await pair.close();
    }
    const during = [...hits].map(([victim, count]) => `${count} of ${victim}`).join(', ');
    return [
      {
        id: 'F10 two-servers',
        expected: `0 partial, lost or repeated imports by two servers in ${cycles} kills`,
        actual: `${wrong.length} wrong in ${cycles} kills; during an import: ${during}`,
        isMet: wrong.length === 0,
        details: wrong,
      },
    ];
  },
};

class ServerPair {
  readonly #installation: Installation;
  #servers: [Run, Run];
  #url: string;
  #sender: Omit<Sender, 'baseUrl'>;
  #expected: string[] = [];

  private constructor(parts: {
    installation: Installation;
    servers: [Run, Run];
    url: string;
    sender: Omit<Sender, 'baseUrl'>;
  }) {
    this.#installation = parts.installation;
    this.#servers = parts.servers;
    this.#url = parts.url;
    this.#sender = parts.sender;
  }

  /** The first server runs PostgreSQL; the second uses it as an outside database. */
  static async start(): Promise<ServerPair> {
    const installation = await Installation.make();
    const first = await installation.start();
    const running = await installation.postmaster();
    if (!running) throw new Error('PostgreSQL is not running.');
    const url = urlOf(running.connection);
    const second = await installation.start({ settings: { PARAPET_DATABASE_URL: url } });
    const [row] = await installation.query<{ id: string }>('select id from deployment');
    const sender = { deployment: String(row?.id), token: await installation.token() };
    return new ServerPair({ installation, servers: [first, second], url, sender });
  }

  async importUndisturbed(): Promise<number> {
    await this.#send(0, BEFORE, { project: 'acme/calm', commit: 'aaaaaaa' });
    const start = performance.now();
    await this.#send(1, AFTER, { project: 'acme/calm', commit: 'bbbbbbb' });
    this.#expected = await this.#trace('acme/calm');
    return performance.now() - start;
  }

  #send(server: 0 | 1, report: string, sent: { project: string; commit: string }): Promise<number> {
    return sendReport({ ...this.#sender, baseUrl: this.#servers[server].baseUrl }, report, sent);
  }

  /** Each server imports into a project of its own; what has no reply is sent to the other server. */
  async killDuringImports(cycle: number, victim: Victim, delayMs: number) {
    const projects = [`acme/first-${cycle}`, `acme/second-${cycle}`] as const;
    for (const project of projects) await this.#untilAccepted(0, BEFORE, { project, commit: 'aaaaaaa' });
    let open = 2;
    const sending = projects.map((project, index) =>
      this.#send(index === 0 ? 0 : 1, AFTER, { project, commit: 'bbbbbbb' })
        .catch(() => 0)
        .finally(() => {
          open--;
        }),
    );
    await sleep(delayMs);
    const isDuringImport = open > 0;
    await this.#kill(victim);
    const statuses = await Promise.all(sending);
    const wrong: string[] = [];
    const alive = victim === 'the first server' ? 1 : 0;
    for (const [index, project] of projects.entries()) {
      if (statuses[index] !== 200)
        await this.#untilAccepted(alive, AFTER, { project, commit: 'bbbbbbb' }).catch((error: Error) =>
          wrong.push(`${project}: ${error.message}`),
        );
      const found = await this.#trace(project);
      if (found.join('\n') !== this.#expected.join('\n'))
        wrong.push(`${project}: ${difference(found, this.#expected)}`);
    }
    await this.#revive(victim);
    return { isDuringImport, wrong };
  }

  async #kill(victim: Victim): Promise<void> {
    if (victim === 'the first server') await this.#servers[0].end('SIGKILL');
    else if (victim === 'the second server') await this.#servers[1].end('SIGKILL');
    else {
      const database = await this.#installation.postmaster();
      if (database) killTree(database.pid);
    }
  }

  async #revive(victim: Victim): Promise<void> {
    if (victim === 'the first server') this.#servers[0] = await this.#installation.start();
    if (victim === 'the second server')
      this.#servers[1] = await this.#installation.start({ settings: { PARAPET_DATABASE_URL: this.#url } });
  }

  /** As a CI job does: a refusal with 503, or none at all while PostgreSQL starts, is tried again. */
  async #untilAccepted(server: 0 | 1, report: string, sent: { project: string; commit: string }): Promise<void> {
    const deadline = performance.now() + TIMEOUT_MS;
    for (;;) {
      const status = await this.#send(server, report, sent).catch(() => 0);
      if (status === 200) return;
      if (performance.now() > deadline || ![0, 503].includes(status)) throw new Error(`answered with ${status}`);
      await sleep(RETRY_MS);
    }
  }

  async #trace(project: string): Promise<string[]> {
    const deadline = performance.now() + TIMEOUT_MS;
    for (;;) {
      try {
        return await traceOf((text, values) => this.#installation.query(text, values), project);
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  async close(): Promise<void> {
    await this.#servers[1].end('SIGKILL');
    await this.#servers[0].end('SIGTERM');
    await this.#installation.remove();
  }
}
