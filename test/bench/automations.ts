import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from '#test/faults/api.ts';
import { sarif } from '#test/faults/import-reports.ts';
import { WebhookReceiver } from '#test/support/world/webhook-receiver.ts';
import { type Bench, type BenchOptions, type Figure, median, percentile } from './figure.ts';
import { ImportBench } from './import-bench.ts';
import { sarifChunks } from './sarif-stream.ts';

const FINDINGS = 100_000;
const AUTOMATIONS = 50;
const ROUNDS = 3;
const MAX_SLOWER = 1.05;
const MAX_CONSIDER_SHARE = 0.25;
/** Decisions that automations send on, one after the other. */
const DECISIONS = 1000;
const PER_SECOND = 50;
const WAIT_MS = 600_000;
const ADMIN = { email: 'admin@example.com', password: 'soon a receiver is told 7' };

interface Parts extends BenchOptions {
  bench: ImportBench;
  receiver: WebhookReceiver;
  /** Calls an operation and expects a success. Without a token it is a call of the administrator. */
  call: (path: string, body: object, token?: string) => Promise<Record<string, unknown>>;
}

/** The cost of automations for imports, and how soon a receiver is told. */
export const benchAutomations: Bench = async (options) => {
  const receiver = await WebhookReceiver.start();
  const settings = {
    PARAPET_EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
    PARAPET_SETUP_ADMIN_EMAIL: ADMIN.email,
    PARAPET_SETUP_ADMIN_PASSWORD: ADMIN.password,
  };
  const bench = await ImportBench.open({ settings });
  const api = new Api(bench.program.baseUrl);
  const ask = async (path: string, body: object, token: string) => {
    const reply = await api.ask({ method: 'POST', path, token, body });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return reply.body;
  };
  const signIn = async () => String((await ask('/api/auth/sessions', ADMIN, ''))['accessToken']);
  const call: Parts['call'] = async (path, body, token) => ask(path, body, token ?? (await signIn()));
  try {
    const parts = { ...options, bench, receiver, call };
    return [...(await importsOf(parts)), ...(await latencyOf(parts))];
  } finally {
    api.close();
    await bench.close();
    await receiver.stop();
  }
};

async function automate(
  { call, receiver, bench }: Parts,
  name: string,
  { trigger, condition }: { trigger: string; condition: { type: string; values: string[] } },
): Promise<void> {
  const slug = bench.deployment;
  const made = await call(`/api/notification_webhooks/deployments/${slug}/webhooks`, { name, url: receiver.url });
  const { id } = (made as { webhook: { id: string } }).webhook;
  const actions = [{ type: 'ACTION_TYPE_WEBHOOK', config: { webhook_id: id } }];
  const automation = { name, triggerSource: trigger, filters: { conditions: [condition] }, actions };
  await call(`/api/notifications/deployments/${slug}/automations`, { automation });
}

/** Waits until a query of the owner returns true. */
async function until(bench: ImportBench, condition: string): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const [row] = await bench.query<{ is_so: boolean }>(`select ${condition} as is_so`);
    if (row?.is_so) return;
    assert.ok(performance.now() < deadline, `still not: ${condition}`);
    await sleep(20);
  }
}

const isConsidered = `not exists (
  select from job where kind = 'automation.consider' and state in ('ready', 'running'))`;
const isSent = `not exists (select from delivery where state = 'waiting')`;

/** Imports without automations and with many, in turn. */
async function importsOf(parts: Parts): Promise<Figure[]> {
  const { bench, scale, log } = parts;
  const count = Math.round(FINDINGS * scale);
  const report = sarifChunks(count);
  for (let number = 0; number < AUTOMATIONS; number++) {
    const condition = { type: 'CONDITION_TYPE_RULE_ID', values: [`rule-${number}`] };
    await automate(parts, `Automation ${number}`, { trigger: 'TRIGGER_SOURCE_SCAN', condition });
  }
  const rounds: { without: number; with: number; consider: number }[] = [];
  for (let number = 1; number <= ROUNDS; number++) {
    const timed = async (mode: string) => {
      await bench.query('update automation set mode = $1', [mode]);
      await bench.clear();
      const { seconds } = await bench.timed(async () => {
        const { opened } = await bench.send(report, { project: `acme/${mode}-${number}`, commit: 'aaaaaaa' });
        assert.equal(opened, count);
      });
      const start = performance.now();
      await until(bench, isConsidered);
      return { seconds, consider: (performance.now() - start) / 1000 };
    };
    const without = await timed('paused');
    const live = await timed('live');
    const [row] = await bench.query<{ matched: string }>('select sum(matched) as matched from automation_run');
    assert.ok(Number(row?.matched) > 0, 'no automation matched');
    rounds.push({ without: without.seconds, with: live.seconds, consider: live.consider });
    log(
      `round ${number}: without ${without.seconds.toFixed(1)} s, with ${live.seconds.toFixed(1)} s, ` +
        `considered in ${live.consider.toFixed(1)} s`,
    );
    await until(bench, isSent);
  }
  await bench.query("update automation set mode = 'paused'");
  const middle = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  return [
    {
      name: `import of ${count} findings with ${AUTOMATIONS} automations`,
      value: middle((round) => round.with),
      unit: 's',
      baseline: { name: 'without', value: middle((round) => round.without) },
      ratio: middle((round) => round.with / round.without),
      target: { atMost: MAX_SLOWER },
    },
    {
      name: 'all automations have considered it',
      value: middle((round) => round.consider),
      unit: 's',
      baseline: { name: 'the import', value: middle((round) => round.with) },
      ratio: middle((round) => round.consider / round.with),
      target: { atMost: MAX_CONSIDER_SHARE },
    },
  ];
}

const rulesIn = (body: string): string[] =>
  (JSON.parse(body) as { semgrep_finding: { check_id: string } }[]).map((one) => one.semgrep_finding.check_id);

/** From the reply to a decision until the receiver has it. */
async function latencyOf(parts: Parts): Promise<Figure[]> {
  const { bench, receiver, call, scale } = parts;
  const count = Math.max(100, Math.round(DECISIONS * scale));
  const rules = Array.from({ length: count }, (_, number) => `told-${number}`);
  const results = rules.map((rule, line) => ({ rule, path: 'src/told.js', line: line + 1, code: `told(${line})` }));
  await bench.send([Buffer.from(sarif(results))], { project: 'acme/told', commit: 'aaaaaaa' });
  await until(bench, isConsidered);
  const condition = { type: 'CONDITION_TYPE_PATH', values: ['src/told.js'] };
  await automate(parts, 'Told', { trigger: 'TRIGGER_SOURCE_ISSUE_TRIAGED', condition });
  const ids = await bench.query<{ id: string; rule: string }>("select id, rule from finding where rule like 'told-%'");
  const idOf = new Map(ids.map(({ id, rule }) => [rule, id]));
  const arrivals = new Map<string, number>();
  receiver.received.length = 0;
  const seen = setInterval(() => {
    for (const { body } of receiver.received.splice(0))
      for (const rule of rulesIn(body)) arrivals.set(rule, arrivals.get(rule) ?? performance.now());
  }, 5);
  const replies = new Map<string, number>();
  const start = performance.now();
  const decisions = rules.map(async (rule, position) => {
    await sleep(Math.max(0, start + (position * 1000) / PER_SECOND - performance.now()));
    const body = { issue_type: 'sast', issue_ids: [Number(idOf.get(rule))], new_triage_state: 'reviewing' };
    await call(`/api/v1/deployments/${bench.deployment}/triage`, body, bench.token);
    replies.set(rule, performance.now());
  });
  await Promise.all(decisions);
  const deadline = performance.now() + WAIT_MS;
  while (arrivals.size < count && performance.now() < deadline) await sleep(20);
  clearInterval(seen);
  assert.equal(arrivals.size, count, 'not every decision arrived');
  const latencies = rules.map((rule) => Math.max(0, (arrivals.get(rule) ?? 0) - (replies.get(rule) ?? 0)) / 1000);
  const targets = [
    [50, 0.5],
    [95, 2],
    [99, 5],
  ] as const;
  return targets.map(([percent, atMost]) => ({
    name: `decision to receiver at ${PER_SECOND}/s, p${percent}`,
    value: percentile(latencies, percent),
    unit: 's',
    target: { atMost },
  }));
}
