import { readFile } from 'node:fs/promises';
import { type CheckerHit, sarifOf } from '../reports/sarif.ts';
import type { RunningApp } from './running-app.ts';

const ORG = 'parapet';
const AGENT = `/api/agent/deployments/${ORG}`;
const TEAMS = `/api/permissions/v2/deployments/${ORG}/teams`;

const injection: CheckerHit = {
  rule: 'sql-injection',
  title: 'SQL built from a request',
  path: 'src/users.js',
  lines: ['function find(req) {', '  const name = req.query.name;', '  const sql = text(name);', '  run(sql);', '}'],
  match: 'run(sql)',
  flow: ['req.query', 'const sql'],
  message: 'Text of `req` reaches a query: see the [guide](https://example.com/sql)',
  fix: 'run(sql, [name]);',
  score: 9.5,
};
const hash = (file: string): CheckerHit => ({
  rule: 'weak-hash',
  title: 'Weak hash',
  path: `src/${file}.js`,
  lines: ['', 'md5(x)', ''],
  match: 'md5',
});

/** A report of a pull request whose rule is set to block, so that the guardrails report has data. */
export const GUARDED_REPORT = JSON.stringify({
  version: '1.93.0',
  errors: [],
  paths: { scanned: ['src/pay.py'] },
  results: [
    {
      check_id: 'acme.pay',
      path: 'src/pay.py',
      start: { line: 3, col: 1, offset: 10 },
      end: { line: 3, col: 9, offset: 18 },
      extra: {
        message: 'Found in a payment',
        severity: 'ERROR',
        lines: 'pay()',
        fingerprint: 'acme.pay',
        metadata: { 'dev.semgrep.actions': ['block'] },
      },
    },
  ],
  skipped_rules: [],
});

export interface SmallOrganization {
  slug: string;
  issue: string;
  project: string;
  scan: string;
  team: string;
  person: string;
  automation: string;
}

type Rows = readonly Record<string, string>[];

/** A member who must request exceptions, and requests one. */
async function askToIgnore(product: RunningApp): Promise<string> {
  const invited = { emails: ['grace@example.com'] };
  const { message } = await product.call('POST', `/api/onboarding/deployments/${ORG}/invite_members`, invited);
  const token = /\/invitation#t=([^\s]+)/.exec(String(message))?.[1];
  const input = { token, name: 'Grace', password: 'another long sentence' };
  const joined = await product.call('POST', '/api/auth/invitations/accept', input);
  const { id } = joined['user'] as { id: string };
  await product.call('PATCH', `${AGENT}/users/${id}/roles`, { newRole: 'ORG_ROLE_MEMBER' });
  const ignored = { triageState: 'FINDING_TRIAGE_STATE_IGNORED', note: 'Only tests call it.' };
  const params = { ...ignored, triageReason: 'FINDING_TRIAGE_REASON_ACCEPTABLE_RISK' };
  const answer = await fetch(`${product.baseUrl}${AGENT}/findings/v2`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${joined['accessToken']}` },
    body: JSON.stringify({ filter: { filePaths: ['src/b.js'] }, params }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return id;
}

async function fillSettings(product: RunningApp, projectId: string): Promise<string> {
  const expiresAt = new Date(Date.now() + 6 * 24 * 3600 * 1000).toISOString();
  const input = { name: 'nightly', role: 'TOKEN_ROLE_READ_ONLY', webApi: true, expiresAt };
  await product.call('POST', `/api/tokens/v1/deployments/${ORG}/tokens`, input);
  const openidData = { clientId: 'parapet', wellKnownUrl: 'https://id.acme.example/.well-known/openid-configuration' };
  const provider = { name: 'acme', type: 'SSO_TYPE_OPENID', displayName: 'Acme', openidData };
  await product.call('POST', `/api/auth/sso/deployments/${ORG}/providers`, { enabled: false, provider });
  const credential = {
    clientId: 'acme',
    clientSecret: 'hush',
    apiUrl: 'https://a.example/',
    tokenUrl: 'https://t.example/',
  };
  await product.call('POST', `/api/notifications/deployments/${ORG}/partner`, credential);
  const conditions = [
    { type: 'CONDITION_TYPE_SEVERITY', mode: 'MODE_ANY', values: ['critical'] },
    { type: 'CONDITION_TYPE_REPOSITORY_ID', mode: 'MODE_ANY', values: [projectId] },
  ];
  const automation = {
    name: 'Comment on what is critical',
    description: 'Of the web project.',
    active: true,
    triggerSource: 'TRIGGER_SOURCE_SCAN',
    filters: { mode: 'MODE_ALL', conditions },
    actions: [{ type: 'ACTION_TYPE_PR_COMMENT', config: {} }],
  };
  const webhook = { name: 'SIEM', url: 'https://siem.invalid/events' };
  await product.call('POST', `/api/notification_webhooks/deployments/${ORG}/webhooks`, webhook);
  const automations = `/api/notifications/deployments/${ORG}/automations`;
  const made = (await product.call('POST', automations, { automation }))['automation'] as { id: string };
  const { snapshot, count } = await product.call('POST', `${automations}/${made.id}:preview`);
  await product.call('POST', `${automations}/${made.id}:run`, { snapshot, count });
  return made.id;
}

/** An organization in which every page of the product has data. */
export async function fillSmallOrganization(product: RunningApp): Promise<SmallOrganization> {
  const imports = `/api/v1/deployments/${ORG}/imports?project=acme/web`;
  await product.call('POST', `${imports}&ref=main&commit=1111111`, sarifOf([hash('gone'), hash('a'), hash('b')]));
  await product.call('POST', `${imports}&ref=main&commit=2222222`, sarifOf([injection, hash('a'), hash('b')]));
  await product.call('POST', `${imports}&ref=refs/pull/7/merge&commit=3333333`, GUARDED_REPORT);
  await product.call(
    'POST',
    `${imports}&commit=4444444`,
    await readFile('test/fixtures/reports/npm-sbom.cyclonedx.json', 'utf8'),
  );
  const made = { identity: 'one', title: 'A tool is called without approval', severity: 'SEVERITY_HIGH' };
  await product.call('POST', `/api/issues/${ORG}/report`, { workflowId: 'review', issues: [made] });
  await product.call('PUT', `${AGENT}/products`, { hasDeveloperTriage: true });
  const person = await askToIgnore(product);
  const repos = (await product.call('POST', `${AGENT}/repos/search`))['repos'] as Rows;
  const project = repos[0]?.['id'] ?? '';
  const team = { name: 'Payments', users: [{ userId: person }], repositoryIds: [project] };
  const { id: teamId } = (await product.call('POST', TEAMS, { team }))['team'] as { id: string };
  await product.call('POST', TEAMS, { team: { name: 'Checkout', parentTeamId: teamId } });
  const automation = await fillSettings(product, project);
  const found = (await product.call('POST', `${AGENT}/issues`, { q: 'rule:sql-injection' }))['issues'];
  const [first] = found as { issue: { id: string } }[];
  return { slug: ORG, issue: first?.issue.id ?? '', project, scan: '2', team: teamId, person, automation };
}
