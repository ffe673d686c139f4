import { permissionsOf, seesEverything } from '#domain/access/roles.ts';
import { DEMO_ACCOUNTS, type DemoAccountKey, demoEmail } from '#domain/demo/demo-accounts.ts';
import type { Demo } from '#domain/demo/store.ts';
import { nameKey } from '#domain/deployments/rules.ts';
import { listRulesForScan } from '#domain/rules/rules-for-scan.ts';
import type { Rule } from '#domain/rules/shape.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';

const DAY_MS = 24 * 3600 * 1000;
const SECOND_MS = 1000;

/** What the steps of loading share: whose demo it is, who acts in it, and what time it is meant to be. */
export class DemoContext {
  readonly demo: Demo;
  readonly deployment: string;
  readonly services: Services;
  readonly #rules = new Map<string, ReadonlyMap<string, Rule>>();
  readonly #accounts = new Map<string, string>();
  readonly #projects = new Map<string, string>();

  constructor(demo: Demo, services: Services) {
    this.demo = demo;
    this.deployment = demo.deployment;
    this.services = services;
  }

  /** So many days before the demo's moment, on a whole second; later, where the number is negative. */
  daysAgo(ago: number): Date {
    const time = this.demo.asOf.getTime() - ago * DAY_MS;
    return new Date(Math.floor(time / SECOND_MS) * SECOND_MS);
  }

  /** One of the made-up people, as a caller who is signed in. */
  async person(tx: Tx, key: DemoAccountKey): Promise<Caller> {
    const { name, role } = DEMO_ACCOUNTS.find((one) => one.key === key) ?? DEMO_ACCOUNTS[0];
    const email = demoEmail(key, this.demo.slug);
    const userId = await this.#remembered(this.#accounts, email, async () => {
      const [row] = await tx.rows`select id from account where email_key = ${nameKey(email)}`;
      return String(row?.['id']);
    });
    return {
      kind: 'user',
      credential: 'demo',
      userId,
      name,
      email,
      deployment: this.deployment,
      role,
      permissions: permissionsOf(role),
      seesEverything: seesEverything(role),
    };
  }

  project(tx: Tx, name: string): Promise<string> {
    return this.#remembered(this.#projects, name, async () => {
      const [row] = await tx.rows`
        select id from project where deployment_id = ${this.deployment} and name_key = ${nameKey(name)}`;
      return String(row?.['id']);
    });
  }

  /** The rules that a scanner of the project is told to run, by id. */
  rules(tx: Tx, project: string): Promise<ReadonlyMap<string, Rule>> {
    const target = { deployment: this.deployment, project };
    const wish = { products: ['sast', 'sca', 'secrets'] as const, baseUrl: this.services.baseUrl };
    return this.#remembered(this.#rules, project, async () => {
      const rules = await listRulesForScan(tx, target, wish);
      return new Map(rules.map((rule) => [rule.id, rule]));
    });
  }

  async #remembered<Value>(known: Map<string, Value>, key: string, find: () => Promise<Value>): Promise<Value> {
    const value = known.get(key) ?? (await find());
    known.set(key, value);
    return value;
  }
}

/** One piece of loading: a transaction of its own, at a time of its own. */
export interface DemoStep {
  ago: number;
  /** Has many rows, so it may take minutes. */
  isLong?: boolean;
  run(tx: Tx, context: DemoContext): Promise<unknown>;
}
