import { FakeJira } from '#test/support/trackers/fake-jira.ts';
import { WebhookReceiver } from '#test/support/world/webhook-receiver.ts';
import { Api } from './api.ts';
import { type Campaign, type CampaignOptions, type FaultFigure, randomFrom, sleep } from './campaign.ts';
import { type Result, type Sender, sarif, sendReport } from './import-reports.ts';
import { Installation, type Run } from './installation.ts';
import { killTree } from './processes.ts';

const PASSWORD = 'nothing is sent twice 7';
const PROJECT = 'acme/killed';
/** New findings of a cycle: each is sent to the webhook, gets a ticket, and is decided about. */
const FINDINGS = 3;
/** Long enough for an import, or for what follows it, so that kills hit any moment. */
const MAX_DELAY_MS = 700;
/** Below the number of open tickets of a project beyond which further ones are held. */
const CHECK_EVERY = 20;
const REST_WITHIN_MS = 180_000;
/** Of the first scan of the project, which opens no tickets. */
const KEPT: Result = { rule: 'kept', path: 'kept.js', line: 1, code: 'kept()' };

const resultsOf = (cycle: number): Result[] =>
  Array.from({ length: FINDINGS }, (_, number) => ({
    ...{
      rule: `new-${cycle}-${number}`,
      path: `src/${cycle}.js`,
      line: 10 * number + 1,
      code: `run(${cycle}, ${number})`,
    },
  }));

interface Counterparts {
  receiver: WebhookReceiver;
  tracker: FakeJira;
}

interface Totals {
  kills: number;
  resent: number;
  messages: number;
  repeatedMessages: number;
  tickets: number;
  decisions: number;
  wrong: string[];
}

/** Makes the destinations and three automations: one sends, one opens tickets, one decides. */
async function setUp(program: Run, { receiver, tracker }: Counterparts): Promise<void> {
  const api = new Api(program.baseUrl);
  const ask = async (path: string, body: object, token = ''): Promise<Record<string, unknown>> => {
    const reply = await api.ask({ method: 'POST', path, token, body });
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const session = await ask('/api/auth/sessions', { email: 'admin@example.com', password: PASSWORD });
  const token = String(session['accessToken']);
  const webhook = (await ask(
    '/api/notification_webhooks/deployments/parapet/webhooks',
    { name: 'Receiver', url: receiver.url },
    token,
  )) as { webhook: { id: string } };
  const base = '/api/notifications/deployments/parapet';
  const settings = { instanceType: 'jira_server', projectId: 'SHOP', issueTypeId: '10001', token: 'a-token' };
  const ticketing = await ask(`${base}/ticketing/v2`, { name: 'Jira', siteUrl: tracker.siteUrl, ...settings }, token);
  const { slug } = (ticketing as { instance: { slug: string } }).instance;
  const automate = (name: string, conditions: object[], action: object) =>
    ask(`${base}/automations`, { automation: { name, filters: { conditions }, actions: [action] } }, token);
  const anySeverity = { type: 'CONDITION_TYPE_SEVERITY', values: ['critical', 'high', 'medium', 'low'] };
  const config = { webhook_id: webhook.webhook.id };
  await automate('Send', [anySeverity], { type: 'ACTION_TYPE_WEBHOOK', config });
  const project = { credential_slug: slug, project_id: 'SHOP' };
  await automate('Open a ticket', [anySeverity], { type: 'ACTION_TYPE_JIRA', config: project });
  const decided = { type: 'CONDITION_TYPE_PATH', values: ['src/**'] };
  const decision = { type: 'ACTION_TYPE_TRIAGE', config: { state: 'reviewing' } };
  await automate('Decide', [decided], decision);
  api.close();
}

/** Leases of killed processes expire after 45 seconds; the campaign does not wait for that. */
const EXPIRE_LEASES = `
  update job set lease_until = now() - interval '1 second' where state = 'running';
  update destination set lease_until = null`;

/** Nor for the next attempt. */
const RETRY_NOW = `
  update job set run_at = now()
  where state = 'ready' and run_at > now() and kind in ('delivery.pump', 'automation.consider');
  update delivery set next_at = now() where state = 'waiting' and next_at > now()`;

async function untilAtRest(installation: Installation): Promise<void> {
  const deadline = performance.now() + REST_WITHIN_MS;
  const count = `select (select count(*) from delivery where state = 'waiting')
    + (select count(*) from job where kind = 'automation.consider' and state in ('ready', 'running')) as left`;
  for (;;) {
    const [row] = await installation.query<{ left: string }>(count);
    if (row?.left === '0') return;
    if (performance.now() > deadline) throw new Error(`${row?.left} deliveries were not sent.`);
    await installation.query(RETRY_NOW);
    await sleep(1000);
  }
}

interface Sent {
  message: string;
  rules: string[];
}

const sentBy = ({ received }: WebhookReceiver): Sent[] =>
  received.map(({ headers, body }) => ({
    message: String(headers['webhook-id']),
    rules: (JSON.parse(body) as { semgrep_finding: { check_id: string } }[]).map((one) => one.semgrep_finding.check_id),
  }));

/** Compares what arrived with what was to be sent, since the last check. */
async function judge(
  installation: Installation,
  { receiver, tracker }: Counterparts,
  { cycles, totals }: { cycles: readonly number[]; totals: Totals },
): Promise<void> {
  const sent = sentBy(receiver);
  const messages = new Map(sent.map((one) => [one.message, one.rules]));
  const decisions = await installation.query<{ rule: string; count: string }>(
    `select finding.rule, count(*) as count from finding_event
     join finding on finding.deployment_id = finding_event.deployment_id and finding.id = finding_event.finding_id
     where finding_event.kind = 'triaged' group by finding.rule`,
  );
  for (const rule of cycles.flatMap((cycle) => resultsOf(cycle).map((one) => one.rule))) {
    const inMessages = [...messages.values()].filter((rules) => rules.includes(rule)).length;
    if (inMessages !== 1) totals.wrong.push(`${rule} is in ${inMessages} messages`);
    const tickets = tracker.tickets.filter(({ title }) => title === `${rule} in ${PROJECT}`).length;
    if (tickets !== 1) totals.wrong.push(`${rule} has ${tickets} tickets`);
    const decided = Number(decisions.find((one) => one.rule === rule)?.count ?? 0);
    if (decided !== 1) totals.wrong.push(`${rule} was decided about ${decided} times`);
  }
  totals.messages += messages.size;
  totals.repeatedMessages += sent.length - messages.size;
  totals.tickets += cycles.length * FINDINGS;
  totals.decisions += cycles.length * FINDINGS;
  receiver.received.length = 0;
  // Gates hold tickets and messages of automations that fire as often as these.
  await installation.query("update delivery set state = 'cancelled' where kind = 'ticket' and state = 'sent'");
  await installation.query('update automation_run set matched = 0');
}

/** Kills the server with its worker while automations act: nothing is lost, and nothing is done twice. */
export const killDeliveries: Campaign = {
  defaultCycles: 500,
  async run({ cycles, seed, log }: CampaignOptions): Promise<FaultFigure[]> {
    const counterparts = { receiver: await WebhookReceiver.start(), tracker: await FakeJira.start() };
    const { receiver, tracker } = counterparts;
    const installation = await Installation.make({
      PARAPET_SETUP_ADMIN_PASSWORD: PASSWORD,
      PARAPET_EGRESS_ALLOW: `127.0.0.1:${receiver.port},127.0.0.1:${tracker.port}`,
    });
    const empty = { kills: 0, resent: 0, messages: 0, repeatedMessages: 0, tickets: 0, decisions: 0 };
    const totals: Totals = { ...empty, wrong: [] };
    const random = randomFrom(seed);
    try {
      let program = await installation.start();
      const sender = (): Sender => ({ baseUrl: program.baseUrl, deployment: 'parapet', token });
      const token = await installation.token();
      await sendReport(sender(), sarif([KEPT]), { project: PROJECT, commit: 'aaaaaaa' });
      await untilAtRest(installation);
      await setUp(program, counterparts);
      let unjudged: number[] = [];
      for (let cycle = 1; cycle <= cycles; cycle++) {
        const report = sarif(resultsOf(cycle));
        const commit = cycle.toString(16).padStart(7, '0');
        // An analysis of its own: a later report without these findings does not close them.
        const sent = { project: PROJECT, commit, category: `cycle ${cycle}` };
        const sending = sendReport(sender(), report, sent).catch(() => 0);
        // Every second kill hits the import, the others what automations do after it.
        if (cycle % 2 === 0) await sending;
        await sleep(random() * MAX_DELAY_MS);
        killTree(program.pid);
        totals.kills += 1;
        await program.ended;
        const status = await sending;
        program = await installation.start();
        // A pipeline that got no answer sends its report again.
        if (status !== 200) {
          totals.resent += 1;
          await sendReport(sender(), report, sent);
        }
        await installation.query(EXPIRE_LEASES);
        unjudged.push(cycle);
        if (cycle % CHECK_EVERY === 0 || cycle === cycles) {
          await untilAtRest(installation);
          await judge(installation, counterparts, { cycles: unjudged, totals });
          unjudged = [];
          log(`${cycle} kills, ${totals.messages} messages, ${totals.repeatedMessages} of them repeated`);
        }
      }
      await program.end('SIGTERM');
    } finally {
      await installation.remove();
      await receiver.stop();
      await tracker.stop();
    }
    const { kills, resent, messages, repeatedMessages, tickets, decisions, wrong } = totals;
    return [
      {
        id: 'F14 kill-deliveries',
        expected:
          'each finding in one message, with one ticket and one decision; at most one repeated message per kill',
        actual:
          `${wrong.length} wrong in ${kills} kills (${resent} reports sent again, ${messages} messages, ` +
          `${repeatedMessages} repeated with their id, ${tickets} tickets, ${decisions} decisions)`,
        isMet: wrong.length === 0 && repeatedMessages <= kills && messages > 0,
        details: wrong,
      },
    ];
  },
};
