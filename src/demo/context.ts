import { z } from 'zod';
import { permissionsOf, seesEverything } from '#domain/access/roles.ts';
import { DEMO_ACCOUNTS, type DemoAccountKey, demoEmail } from '#domain/demo/demo-accounts.ts';
import type { Demo } from '#domain/demo/store.ts';
import { nameKey } from '#domain/deployments/rules.ts';
import type { AdapterServices } from '#domain/destinations/all-adapters.ts';
import type { Rule } from '#domain/rules/shape.ts';
import { listRulesForScan } from '#domain/unified-policies/scan-rules.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';

const ObjectId = z.object({ id: z.string() });

const DAY_MS = 24 * 3600 * 1000;
const SECOND_MS = 1000;

/** What loading a demo uses besides the database: that of the operations it calls. */
export type DemoServices = AdapterServices & Pick<Services, 'baseUrl'>;

/** What the steps of loading share: the demo, its people, its projects, and its time. */
export class DemoContext {
  readonly demo: Demo;
  readonly deployment: string;
  readonly services: DemoServices;
  readonly #rules = new Map<string, ReadonlyMap<string, Rule>>();
  readonly #accounts = new Map<string, string>();
  readonly #projects = new Map<string, string>();

  constructor(demo: Demo, services: DemoServices) {
    this.demo = demo;
    this.deployment = demo.deployment;
    this.services = services;
  }

  /** The time a number of days before the demo was created, to the second; negative numbers are later. */
  daysAgo(ago: number): Date {
    const time = this.demo.asOf.getTime() - ago * DAY_MS;
    return new Date(Math.floor(time / SECOND_MS) * SECOND_MS);
  }

  /** One of the made-up people, as a signed-in caller. */
  async person(tx: Tx, key: DemoAccountKey): Promise<Caller> {
    const { name, role } = DEMO_ACCOUNTS.find((person) => person.key === key) ?? DEMO_ACCOUNTS[0];
    const email = demoEmail(key, this.demo.slug);
    const userId = await this.#cached(this.#accounts, email, async () => {
      const account = await tx.one(ObjectId)`select id from account where email_key = ${nameKey(email)}`;
      return account?.id ?? '';
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
    return this.#cached(this.#projects, name, async () => {
      const project = await tx.one(ObjectId)`
        select id from project where deployment_id = ${this.deployment} and name_key = ${nameKey(name)}`;
      return project?.id ?? '';
    });
  }

  /** The rules that a scanner of the project has to run, by id. */
  rules(tx: Tx, project: string): Promise<ReadonlyMap<string, Rule>> {
    const target = { deployment: this.deployment, project };
    const selection = { products: ['sast', 'sca', 'secrets'] as const, baseUrl: this.services.baseUrl };
    return this.#cached(this.#rules, project, async () => {
      const rules = await listRulesForScan(tx, target, selection);
      return new Map(rules.map((rule) => [rule.id, rule]));
    });
  }

  async #cached<Value>(cache: Map<string, Value>, key: string, find: () => Promise<Value>): Promise<Value> {
    const value = cache.get(key) ?? (await find());
    cache.set(key, value);
    return value;
  }
}

/** One step of loading: a transaction of its own, with a time of its own. */
export interface DemoStep {
  ago: number;
  /** True for an import, which may take minutes. */
  isLong?: boolean;
  run(tx: Tx, context: DemoContext): Promise<unknown>;
}
