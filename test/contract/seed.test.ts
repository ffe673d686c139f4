import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { operations } from '#test/support/http/operations.ts';

/** Each operation of the seed has its own test file, named after it, with sentences as test names. */

interface SeedOperation {
  number: string;
  title: string;
  route: string;
  file: string;
}

const of = (number: string, title: string, route: string, file: string): SeedOperation => ({
  number,
  title,
  route,
  file: `src/services/${file}.test.ts`,
});

const TEAMS = '/api/permissions/v2/deployments/{deploymentId}/teams';
const AGENT = '/api/agent/deployments';
const BOARDS = `${AGENT}/{deploymentId}/ruleboards`;
const NOTIFICATIONS = '/api/notifications/deployments/{deploymentId}';
const REPORT = '/api/reporting/{deploymentId}/reports/guardrails-activity';
const PROVIDERS = '/api/auth/sso/deployments/{deploymentId}/providers';
const AUTOMATION = `${NOTIFICATIONS}/automations/{automationId}`;

const SEED = [
  of('4.1', "list an RBAC team's repositories", `GET ${TEAMS}/{teamId}/repos`, 'teams/list-team-repositories'),
  of('4.2', 'get guardrails activity report', `POST ${REPORT}`, 'reports/guardrails-activity'),
  of('4.3', 'triage issue', 'POST /api/issues/{deploymentId}/issue/{issueId}', 'public-issues/triage-issue'),
  of('4.4', 'update a deployment RBAC team', `PATCH ${TEAMS}/{teamId}`, 'teams/update-team'),
  of('4.5', 'update ruleboard', `PUT ${BOARDS}/{ruleboardSlug}`, 'ruleboard/update-ruleboard'),
  of(
    '4.6',
    'validate partner credential',
    `POST ${NOTIFICATIONS}/partner/validate`,
    'partner-credential/validate-partner-credential',
  ),
  of('4.7', 'list deployment teams', `POST ${TEAMS}/list`, 'teams/list-teams'),
  of('4.8', 'create deployment', `POST ${AGENT}`, 'deployments/create-deployment'),
  of(
    '4.9',
    'create or update deployment product config',
    `PUT ${AGENT}/{deploymentId}/products`,
    'deployment-products/put-product-config',
  ),
  of('4.10', 'create ruleboard', `POST ${BOARDS}`, 'ruleboard/create-ruleboard'),
  of('4.11', 'list deployment SSO providers', `GET ${PROVIDERS}`, 'deployment-sso-providers/list-sso-providers'),
  of('4.12', 'delete automation', `DELETE ${AUTOMATION}`, 'automations/delete-automation'),
];

const FEWEST_SENTENCES = 4;
const decisions = readFileSync('docs/reference/decisions.md', 'utf8');

for (const { number, title, route, file } of SEED)
  describe(`seed ${number}, ${title}`, () => {
    const found = operations.find(({ bound }) => `${bound.operation.method} ${bound.operation.template}` === route);

    test('is an operation of this server', () => assert.ok(found, route));

    test('has its own test file that names it, has sentences as test names, and calls it', () => {
      assert.ok(existsSync(file), `${file} is missing`);
      const text = readFileSync(file, 'utf8');
      assert.ok(text.includes(`${title} (seed ${number})`), `${file} does not name it`);
      const names = [...text.matchAll(/\btest\(\s*(['"`])(.+?)\1,/g)].map((match) => match[2] ?? '');
      assert.ok(names.length >= FEWEST_SENTENCES, `${file} has ${names.length} tests`);
      for (const name of names) assert.ok(name.split(' ').length >= 3, `"${name}" is no sentence`);
    });

    test('has decisions about its open questions in the reference', () => {
      const [service = ''] = found?.id.split('_') ?? [];
      assert.match(decisions, new RegExp(`^## .*\\b${service}\\b`, 'm'));
    });
  });

test('every question in the decisions has an answer', () => {
  const rows = decisions.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Question|-)/.test(line));
  assert.ok(rows.length > 100);
  for (const row of rows) {
    const [question = '', choice = ''] = row
      .split(/(?<!\\)\|/)
      .slice(1)
      .map((cell) => cell.trim());
    assert.ok(question !== '' && choice !== '', row);
  }
});
