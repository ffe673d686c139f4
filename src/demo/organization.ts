import type { DemoAccountKey } from '#domain/demo/demo-accounts.ts';
import * as projects from '#domain/projects/store.ts';
import { publish } from '#domain/rules/publish-rule.ts';
import { registerProject } from '#domain/teams/enrollment.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { deploymentProducts } from '#services/deployment-products/routes.ts';
import { sso } from '#services/deployment-sso-providers/routes.ts';
import { reviewCommentProductContent } from '#services/review-comment-product-content/routes.ts';
import { ruleboard } from '#services/ruleboard/routes.ts';
import { teams } from '#services/teams/routes.ts';
import { token } from '#services/token/routes.ts';
import { callOperation } from './call-operation.ts';
import type { DemoContext, DemoStep } from './context.ts';
import { CUSTOM_RULES } from './custom-rules.ts';
import { type DemoProject, SUB_TEAM, TEAMS } from './projects.ts';

interface SetupContext {
  tx: Tx;
  context: DemoContext;
  caller: Caller;
  now: Date;
}

const FOUNDED_AGO = 179.9;
const DAY_MS = 24 * 3600 * 1000;

async function createProjects({ tx, context }: SetupContext, demoProjects: readonly DemoProject[]): Promise<void> {
  const { deployment } = context;
  for (const { name, url, tags } of demoProjects) {
    const id = await registerProject(tx, { deployment, name, url });
    await projects.addTags(tx, { deployment, id }, [...tags]);
  }
}

const TEAM_MEMBERS: Readonly<Record<string, readonly [DemoAccountKey, string][]>> = {
  Platform: [
    ['tomas', 'TEAM_ROLE_MANAGER'],
    ['jonas', 'TEAM_ROLE_MEMBER'],
  ],
  Payments: [
    ['mara', 'TEAM_ROLE_MANAGER'],
    ['priya', 'TEAM_ROLE_MEMBER'],
    ['ruth', 'TEAM_ROLE_READONLY'],
  ],
  Storefront: [
    ['aiko', 'TEAM_ROLE_MANAGER'],
    ['priya', 'TEAM_ROLE_MEMBER'],
  ],
  Data: [
    ['jonas', 'TEAM_ROLE_MANAGER'],
    ['ruth', 'TEAM_ROLE_READONLY'],
  ],
  Checkout: [['priya', 'TEAM_ROLE_MANAGER']],
};

async function createTeams(
  { tx, context, caller, now }: SetupContext,
  demoProjects: readonly DemoProject[],
): Promise<void> {
  const teamIds = new Map<string, string>();
  for (const name of [...TEAMS, SUB_TEAM.name]) {
    const users: { userId: string; role: string }[] = [];
    for (const [key, role] of TEAM_MEMBERS[name] ?? [])
      users.push({ userId: (await context.person(tx, key)).userId, role });
    const repositoryIds: string[] = [];
    for (const demoProject of demoProjects)
      if (demoProject.team === name) repositoryIds.push(await context.project(tx, demoProject.name));
    const parentTeamId = name === SUB_TEAM.name ? teamIds.get(SUB_TEAM.parent) : undefined;
    const team = { name, users, repositoryIds, ...(parentTeamId !== undefined && { parentTeamId }) };
    const reply = await callOperation(tx, context, [teams, 'createDeploymentTeam'], { body: { team }, caller, now });
    teamIds.set(name, (reply as { team: { id: string } }).team.id);
  }
}

const change = (id: string, type: 'rule' | 'ruleset', policy: string) => ({
  item: { id, type },
  policy,
  update_type: 'add',
});

const GLOBAL_BOARD = [
  change('p/parapet', 'ruleset', 'rule-board-audit'),
  ...CUSTOM_RULES.map(({ id }) => change(id, 'rule', 'rule-board-audit')),
  change('acme.card-number-in-log', 'rule', 'rule-board-block'),
  ...['javascript', 'python', 'go', 'java'].flatMap((language) => [
    change(`parapet.${language}.sql-injection-request`, 'rule', 'rule-board-block'),
    change(`parapet.${language}.command-injection-request`, 'rule', 'rule-board-block'),
    change(`parapet.${language}.path-traversal-request`, 'rule', 'rule-board-pr-comments'),
    change(`parapet.${language}.xss-response-request`, 'rule', 'rule-board-pr-comments'),
    change(`parapet.${language}.ssrf-request`, 'rule', 'rule-board-pr-comments'),
    change(`parapet.${language}.open-redirect-request`, 'rule', 'rule-board-pr-comments'),
    change(`parapet.${language}.fast-password-hash`, 'rule', 'rule-board-pr-comments'),
  ]),
  change('parapet.javascript.sql-injection-concat', 'rule', 'rule-board-pr-comments'),
  change('parapet.python.sql-injection-format', 'rule', 'rule-board-pr-comments'),
  change('parapet.go.sql-injection-format', 'rule', 'rule-board-pr-comments'),
  change('parapet.java.sql-injection-concat', 'rule', 'rule-board-pr-comments'),
  change('parapet.javascript.code-injection-request', 'rule', 'rule-board-disabled'),
].filter(({ item, policy }) => item.id !== 'acme.card-number-in-log' || policy === 'rule-board-block');

const PAYMENTS_BOARD = [
  change('p/parapet', 'ruleset', 'rule-board-pr-comments'),
  ...CUSTOM_RULES.map(({ id }) => change(id, 'rule', id.includes('card') ? 'rule-board-block' : 'rule-board-audit')),
  ...['java', 'javascript'].map((language) =>
    change(`parapet.${language}.sql-injection-request`, 'rule', 'rule-board-block'),
  ),
];

const SECRETS_BOARD = [
  change('p/secrets', 'ruleset', 'rule-board-secrets-pr-comments'),
  change('parapet.secrets.stripe-live-key', 'rule', 'rule-board-secrets-block'),
  change('parapet.secrets.aws-secret-access-key', 'rule', 'rule-board-secrets-block'),
  change('parapet.secrets.google-api-key', 'rule', 'rule-board-secrets-audit'),
];

async function createBoards(
  { tx, context, caller, now }: SetupContext,
  demoProjects: readonly DemoProject[],
): Promise<void> {
  for (const rule of CUSTOM_RULES)
    await publish(tx, caller, { definition: { rules: [rule] }, visibility: 'org_private' });
  const assigned_repos = demoProjects.filter(({ tags }) => tags.includes('pci')).map(({ name }) => name);
  const named = { body: { name: 'Payments', assigned_repos }, caller, now };
  const made = (await callOperation(tx, context, [ruleboard, 'createRuleboard'], named)) as { slug: string };
  const boards = [
    ['global-policy', GLOBAL_BOARD],
    [made.slug, PAYMENTS_BOARD],
    ['global-policy-secrets', SECRETS_BOARD],
  ] as const;
  for (const [ruleboardSlug, changes] of boards) {
    const call = { path: { ruleboardSlug }, body: { changes: [...changes] }, caller, now };
    await callOperation(tx, context, [ruleboard, 'updateRuleboard'], call);
  }
}

const PRODUCTS = {
  sast: { enabled: true },
  sca: { enabled: true, prCommentsEnabled: true, blockPrEnabled: true },
  secrets: { enabled: true, historical_scan: { enabled: true } },
  hasDeveloperTriage: true,
};

const SSO = {
  enabled: false,
  provider: {
    name: 'acme-sign-in',
    type: 'SSO_TYPE_OPENID',
    displayName: 'Acme sign-in',
    emailDomain: 'acme.example',
    openidData: {
      clientId: 'parapet-demo',
      wellKnownUrl: 'https://id.acme.example/.well-known/openid-configuration',
    },
  },
};

const TOKENS = [
  { name: 'CI uploads', role: 'TOKEN_ROLE_AGENT_CLI', webApi: false, days: 190 },
  { name: 'Dashboards', role: 'TOKEN_ROLE_READ_ONLY', webApi: true, days: 6 },
  { name: 'Nightly export', role: 'TOKEN_ROLE_MEMBER', webApi: true, days: 80 },
];

async function createSettings({ tx, context, caller, now }: SetupContext): Promise<void> {
  const call = (operation: Parameters<typeof callOperation>[2], body: object) =>
    callOperation(tx, context, operation, { body, caller, now });
  await call([deploymentProducts, 'putDeploymentProductConfig'], PRODUCTS);
  await call([sso, 'createDeploymentSsoProvider'], SSO);
  for (const { days, ...rights } of TOKENS) {
    const expiresAt = new Date(context.demo.asOf.getTime() + days * DAY_MS).toISOString();
    const creation = { body: { ...rights, expiresAt }, caller, now: context.demo.asOf };
    await callOperation(tx, context, [token, 'createToken'], creation);
  }
  await call([reviewCommentProductContent, 'createReviewCommentProductContent'], {
    reviewCommentProductContent: {
      contentType: 'REVIEW_COMMENT_CONTENT_TYPE_ADDENDUM',
      content: 'Questions? Ask in **#security**. Exceptions are answered within a day.',
      productContent: { productType: 'PRODUCT_SAST' },
    },
  });
}

/** Backdates what the organization set up in its first days. */
async function backdate({ tx, context, now }: SetupContext): Promise<void> {
  const { deployment } = context;
  await tx.run`update deployment set created_at = ${now} where id = ${deployment}`;
  await tx.run`update project set created_at = ${now} where deployment_id = ${deployment}`;
  await tx.run`update team set created_at = ${now} where deployment_id = ${deployment}`;
  await tx.run`update deployment_tag set created_at = ${now} where deployment_id = ${deployment}`;
  await tx.run`update ruleboard_item set changed_at = ${now} where deployment_id = ${deployment}`;
  await tx.run`update api_token set created_at = ${now} where deployment_id = ${deployment}`;
  // Real people keep the day on which they joined: the demo must not become their first deployment.
  await tx.run`
    update membership set joined_at = ${now}, changed_at = ${now} where deployment_id = ${deployment}
      and account_id in (select id from account where demo_deployment_id = ${deployment})`;
}

/** Creates the organization before its first scan: projects, teams, rules, settings and tokens. */
export const organizationStep = (demoProjects: readonly DemoProject[]): DemoStep => ({
  ago: FOUNDED_AGO,
  run: async (tx, context) => {
    const now = context.daysAgo(FOUNDED_AGO);
    const setup: SetupContext = { tx, context, caller: await context.person(tx, 'mara'), now };
    await createProjects(setup, demoProjects);
    await createTeams(setup, demoProjects);
    await createBoards(setup, demoProjects);
    await createSettings(setup);
    await backdate(setup);
  },
});
