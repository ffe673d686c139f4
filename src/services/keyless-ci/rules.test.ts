import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CiCondition, CiProvider } from './contract.ts';
import { projectOf, unmetCondition, validateTrust } from './rules.ts';

const codesOf = (provider: CiProvider, conditions: CiCondition[], project = '{repository}') =>
  validateTrust({ provider, conditions, project, issuer: 'https://ci.example.com' }, () => true).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );
const on = (claim: string, ...values: string[]) => [{ claim, values }];

test('a trust must name the whole owner, because public issuers sign tokens for everybody', () => {
  const none = '#/conditions OWNER';
  for (const [provider, conditions, expected] of [
    ['GITHUB_ACTIONS', on('repository', 'acme/web', 'acme/*', 'acme/web-*'), []],
    ['GITHUB_ACTIONS', on('repository', 'acme/web', 'acme*'), [none]],
    ['GITHUB_ACTIONS', on('repository_owner', 'acme'), []],
    ['GITHUB_ACTIONS', on('repository_owner', 'acme*'), [none]],
    ['GITHUB_ACTIONS', on('sub', 'repo:acme/web:*'), []],
    ['GITHUB_ACTIONS', on('sub', 'repo:acme*'), [none]],
    ['GITHUB_ACTIONS', on('ref', 'refs/heads/main'), [none]],
    ['GITLAB_CI', on('project_path', 'acme/tools/*'), []],
    ['GITLAB_CI', on('namespace_path', 'acme'), []],
    ['GITLAB_CI', on('ref_protected', 'true'), [none]],
    ['BUILDKITE', on('organization_slug', 'acme'), []],
    ['BUILDKITE', on('sub', 'organization:acme:*'), []],
    ['BUILDKITE', on('sub', 'organization:acme*'), [none]],
    ['GENERIC', on('sub', 'job-*'), []],
  ] as const)
    assert.deepEqual(codesOf(provider, [...conditions]), expected, `${provider} ${JSON.stringify(conditions)}`);
});

test('patterns, repeated claims and names of projects are checked', () => {
  const owner = on('repository', 'acme/web');
  assert.deepEqual(codesOf('GITHUB_ACTIONS', [...owner, ...on('ref', '*', 'a*b', 'refs/*')]), [
    '#/conditions/1/values/0 PATTERN',
    '#/conditions/1/values/1 PATTERN',
  ]);
  assert.deepEqual(codesOf('GITHUB_ACTIONS', [...owner, ...owner]), ['#/conditions/1/claim REPEATED']);
  for (const project of ['{', '{repository', 'a}b', '{}', '{a b}', '{{a}}'])
    assert.deepEqual(codesOf('GITHUB_ACTIONS', owner, project), ['#/project TEMPLATE'], project);
});

test('all conditions must hold, for single values only, and never by an inherited member', () => {
  const conditions = [...on('repository', 'acme/*'), ...on('run', '7'), ...on('protected', 'true')];
  const claims = { repository: 'acme/web', run: 7, protected: true };
  assert.equal(unmetCondition(conditions, claims), undefined);
  for (const wrong of [
    { repository: 'acme-evil/web' },
    { repository: 'acme' },
    { repository: 'ACME/web' },
    { run: 70 },
  ])
    assert.match(unmetCondition(conditions, { ...claims, ...wrong }) ?? '', /not among the accepted values/);
  for (const wrong of [{ repository: ['acme/web'] }, { run: { toString: () => '7' } }, { protected: null }])
    assert.match(unmetCondition(conditions, { ...claims, ...wrong }) ?? '', /has no claim/);
  assert.match(unmetCondition(on('constructor', 'x'), claims) ?? '', /has no claim/);
});

test('the project comes from claims, and from nothing else', () => {
  const claims = { repository: 'acme/web', path: 'a{b}$&', empty: '' };
  assert.equal(projectOf('', claims), '');
  assert.equal(projectOf('{repository}', claims), 'acme/web');
  assert.equal(projectOf('ci/{repository}/{path}', claims), 'ci/acme/web/a{b}$&');
  for (const template of ['{missing}', '{empty}', '{constructor}'])
    assert.equal(projectOf(template, claims), undefined);
});
