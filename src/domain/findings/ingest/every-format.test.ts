import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ReportItem } from '#domain/reports/report-items.ts';
import { REPORT_FORMATS } from '#domain/reports/shape.ts';
import { ProjectScans } from '#test/support/factories/project-scans.ts';
import { countDistinct, fixtureNames, itemsOfKind, parseFixture } from '#test/support/reports/report-fixtures.ts';
import { World } from '#test/support/world/world.ts';
import { FINGERPRINT_KINDS, identityOf } from '../tracking/finding-identity.ts';

/** How the first result of each format's report is read, and what it is identified by. */
const EXPECTED: [
  format: string,
  count: number,
  rule: string,
  place: string,
  severity: string | undefined,
  id: string,
][] = [
  ['bearer', 2, 'ruby_lang_exec_using_user_input', 'app/run.rb:7', 'critical', 'bearer/fingerprint code'],
  ['brakeman', 2, 'SQL', 'app/models/account.rb:12', 'high', 'brakeman/fingerprint code'],
  ['clang-tidy', 3, 'clang-analyzer-unix.Malloc', 'src/main.c:13', 'medium', 'code'],
  ['coverity', 1, 'RESOURCE_LEAK', 'src/main.c:13', 'high', 'coverity/mergeKey'],
  ['github-code-scanning', 2, 'js/reflected-xss', 'src/server.js:13', 'high', 'position'],
  ['gitlab-code-quality', 2, 'no-unused-vars', 'lib/index.js:42', 'low', 'code-quality/fingerprint'],
  ['gitlab-coverage-fuzzing', 1, 'Heap-buffer-overflow', 'fuzz/target.cc:15', 'critical', 'gitlab/crash'],
  ['golangci-lint', 1, 'errcheck', 'main.go:15', undefined, 'code'],
  ['gosec', 2, 'G204', 'main.go:15', 'high', 'code'],
  ['infer', 1, 'NULLPTR_DEREFERENCE', 'src/hello.c:6', 'high', 'infer/hash'],
  ['mobsf', 3, 'android_allow_backup', 'AndroidManifest.xml', 'medium', 'position'],
  ['njsscan', 7, 'eval_nodejs', 'server.js:16', 'high', 'code'],
  ['phpstan', 2, 'variable.undefined', 'src/account.php:12', 'medium', 'position'],
  ['pmd-xml', 1, 'EmptyCatchBlock', 'src/Accounts.java:21', 'medium', 'position'],
  ['pmd', 2, 'EmptyCatchBlock', 'src/Accounts.java:21', 'medium', 'position'],
  ['progpilot', 1, 'xss', 'src/hello.php:4', 'high', 'progpilot/id'],
  ['psalm', 2, 'TaintedSql', 'src/account.php:5', 'high', 'code'],
  ['pylint', 8, 'C0114', 'app.py:1', 'low', 'position'],
  ['sonarqube', 2, 'javascript:S2077', 'src/db.js:21', 'high', 'sonarqube/key'],
  ['spotbugs', 2, 'SQL_INJECTION_JDBC', 'src/main/java/com/acme/Accounts.java:21', 'high', 'spotbugs/instanceHash'],
  ['staticcheck', 3, 'SA1018', 'main.go:12', 'medium', 'position'],
  ['bundler-audit', 2, 'insecure-source', 'Gemfile.lock', 'medium', 'position'],
  ['cargo-audit', 3, 'CVE-2020-26235', 'Cargo.lock', 'high', 'advisory'],
  ['cargo-deny', 2, 'CVE-2020-26235', 'Cargo.lock', 'high', 'advisory'],
  ['dependency-check-xml', 1, 'CVE-2021-44228', 'lib/log4j-core-2.14.1.jar', 'critical', 'advisory'],
  ['dependency-check', 1, 'CVE-2021-44228', 'lib/log4j-core-2.14.1.jar', 'critical', 'advisory'],
  ['github-dependabot', 2, 'CVE-2018-6188', 'api/requirements.txt', 'high', 'advisory'],
  ['gitlab-dependency', 2, 'CVE-2018-16487', 'web/yarn.lock', 'high', 'advisory'],
  ['gitlab-container', 1, 'CVE-2024-45491', 'registry.example.test/acme/web', 'critical', 'advisory'],
  ['govulncheck', 1, 'CVE-2023-3978', 'go.mod', undefined, 'advisory'],
  ['grype', 2, 'CVE-2021-23337', 'app/package-lock.json', 'high', 'advisory'],
  ['npm-audit', 2, 'GHSA-35jh-r3h4-6jhm', 'package-lock.json', 'high', 'advisory'],
  ['osv-scanner', 2, 'CVE-2021-23337', 'app/package-lock.json', 'high', 'advisory'],
  ['pip-audit', 1, 'CVE-2024-22195', 'requirements.txt', undefined, 'advisory'],
  ['pnpm-audit', 1, 'CVE-2021-23337', 'pnpm-lock.yaml', 'high', 'advisory'],
  ['safety', 1, 'CVE-2024-22195', 'requirements.txt', 'medium', 'advisory'],
  ['snyk', 3, 'CVE-2021-23337', 'app/package-lock.json', 'high', 'advisory'],
  ['trivy', 4, 'CVE-2024-45491', 'registry.example.test/acme/web', 'critical', 'advisory'],
  ['yarn-audit', 1, 'CVE-2021-23337', 'yarn.lock', 'high', 'advisory'],
  ['yarn-npm-audit', 1, 'GHSA-35jh-r3h4-6jhm', 'yarn.lock', 'high', 'advisory'],
  ['defectdojo-csv', 2, 'Open redirect', 'https://shop.example.test/out', 'medium', 'place'],
  ['defectdojo-json', 4, 'Stored XSS in the profile page', 'https://shop.example.test/profile', 'high', 'place'],
  ['semgrep-csv', 2, 'javascript.eval', 'src/server.js:16', 'high', 'position'],
  ['semgrep-findings', 4, 'javascript.eval', 'src/server.js:16', 'high', 'matchBasedId/v1'],
  ['checkov', 6, 'CKV_DOCKER_1', 'infra/Dockerfile:4', undefined, 'position'],
  ['hadolint', 2, 'DL3007', 'infra/Dockerfile:1', 'medium', 'position'],
  ['kics', 1, '38c5ee0d-7f22-4260-ab72-5073048df100', 'infra/main.tf:3', 'critical', 'kics/similarity'],
  ['kube-bench', 2, '4.1.1', 'node/node', 'high', 'place'],
  ['kubescape', 1, 'C-0016', 'acme/Deployment/web', 'medium', 'place'],
  ['polaris', 2, 'deploymentMissingReplicas', 'acme/Deployment/web', 'medium', 'place'],
  ['prowler-csv', 1, 'iam_root_mfa_enabled', 'arn:aws:iam::123456789012:root', 'critical', 'place'],
  ['prowler', 1, 's3_bucket_public_access', 'arn:aws:s3:::acme-logs', 'critical', 'place'],
  [
    'scoutsuite',
    1,
    's3-bucket-world-acl',
    's3.buckets.6f1ed002ab5595859014ebf0951522d9.grantees.AllUsers',
    'high',
    'place',
  ],
  ['terrascan', 2, 'AC_AWS_0214', 'infra/main.tf:1', 'high', 'position'],
  ['tfsec', 2, 'aws-s3-no-public-access-with-acl', 'infra/main.tf:3', 'high', 'position'],
  ['detect-secrets', 4, 'Secret Keyword', 'app.py:7', 'high', 'secret'],
  ['ggshield', 2, 'GitLab Token', 'settings.env:1', 'critical', 'secret'],
  ['github-secret-scanning', 2, 'gitlab_access_token', 'settings.env:1', 'critical', 'secret'],
  ['gitleaks', 2, 'generic-api-key', 'settings.env:2', 'high', 'secret'],
  ['trufflehog', 2, 'AWS', 'deploy/keys.sh:4', 'critical', 'secret'],
  ['arachni', 1, 'xss', 'https://shop.example.test/contact/send', 'high', 'place'],
  ['burp', 1, '1049088', 'https://shop.example.test/catalog', 'high', 'place'],
  ['dastardly', 1, 'Cross-site scripting (reflected)', 'https://shop.example.test/catalog', 'high', 'place'],
  ['gitlab-dast', 1, '10202', 'https://shop.example.test/login', 'medium', 'place'],
  ['nessus', 2, '51192', '192.0.2.10:443/tcp', 'medium', 'place'],
  ['nikto', 2, '999986', 'https://shop.example.test/', 'low', 'place'],
  ['nmap', 2, 'open-port', 'shop.example.test:443/tcp', 'info', 'place'],
  ['nuclei', 2, 'git-config', 'https://shop.example.test/.git/config', 'medium', 'place'],
  ['openvas', 2, '1.3.6.1.4.1.25623.1.0.103955', '192.0.2.10:443/tcp', 'medium', 'place'],
  ['zap-xml', 1, '10021', 'https://shop.example.test/', 'low', 'place'],
  ['zap', 2, '40012', 'https://shop.example.test/search', 'high', 'place'],
];

const KIND_NAMES = new Map<number, string>(Object.entries(FINGERPRINT_KINDS).map(([name, kind]) => [kind, name]));

type Finding = Awaited<ReturnType<typeof findingsOf>>[number];

const formatOf = (name: string) => name.replace(/^.*\//, '').replace(/\.\w+$/, '');
const nameOf = (format: string) => fixtureNames().find((name) => name.includes('/') && formatOf(name) === format) ?? '';
const findingsOf = async (name: string) => itemsOfKind(await parseFixture(name), 'finding');

const secretOf = ({ secret }: Finding) => secret?.value ?? secret?.valueDigest;

/** The names of the tool's own ids, or the kinds of other fingerprints. */
function identityText(finding: Finding): string {
  const { fingerprints } = identityOf(finding, secretOf(finding));
  const kinds = fingerprints.filter(({ kind }) => kind !== FINGERPRINT_KINDS.instance);
  const names = kinds.map(({ kind, name }) => name || (KIND_NAMES.get(kind) ?? ''));
  return [...new Set(names)].join(' ') || 'position';
}

describe('the report of each format', () => {
  for (const [format, count, rule, place, severity, id] of EXPECTED)
    test(`${format}: results have their rule, place, severity and identity`, async () => {
      const found = await findingsOf(nameOf(format));
      assert.equal(found.length, count);
      const [first] = found;
      assert.ok(first);
      const at = first.region.line > 0 ? `${first.path}:${first.region.line}` : first.path;
      assert.deepEqual([first.rule, at, first.severity, identityText(first)], [rule, place, severity, id]);
      for (const finding of found) assert.doesNotMatch(JSON.stringify(withoutValue(finding)), /glpat-Zx81|AKIAQYLP/);
    });

  test('is in this table if it is in a folder of its own', () => {
    const formats = fixtureNames().filter((name) => name.includes('/'));
    assert.deepEqual(EXPECTED.map(([format]) => format).sort(), formats.map(formatOf).sort());
  });
});

test('every format with results of its own has a report here', async () => {
  const formats = new Set<string | undefined>();
  for (const name of fixtureNames())
    for (const { format } of itemsOfKind(await parseFixture(name), 'tool')) formats.add(format);
  // OpenVEX has decisions only, and a mapped report is whatever its mapping says; each has tests of its own.
  const missing = REPORT_FORMATS.filter((format) => !formats.has(format));
  assert.deepEqual(missing, ['openvex', 'mapped']);
});

/** The value is needed for its digest; it must be nowhere else. */
const withoutValue = ({ secret: _, ...rest }: Finding) => rest;

describe('the same report again', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.stop());

  const folderOf = (name: string) => (name.includes('/') ? name.replace(/\/.*$/, '') : 'others');
  for (const [folder = '', names = []] of Map.groupBy(fixtureNames(), folderOf))
    test(`${folder}: opens its distinct results once, on its branch, on another one and in any order`, async () => {
      // One project has the reports of a folder, each with a folder and a run of its own.
      const found: Finding[] = [];
      const tools: ReportItem[] = [];
      for (const [run, name] of names.entries()) {
        tools.push({ kind: 'tool', name: formatOf(name), run });
        for (const finding of await findingsOf(name)) found.push({ ...finding, path: `${name}/${finding.path}`, run });
      }
      const scanning = await ProjectScans.start(world);
      const first = await scanning.scan(found, { extra: tools });
      assert.equal(first.opened, countDistinct(found));
      const before = await scanning.findings();
      const again = [
        { results: found, options: {} },
        { results: found, options: { isForgetful: true } },
        { results: found, options: { ref: 'feature' } },
        { results: found.toReversed(), options: { isForgetful: true } },
      ];
      for (const { results, options } of again) {
        const { opened, fixed, removed } = await scanning.scan(results, { extra: tools, ...options });
        assert.deepEqual([opened, fixed, removed], [0, 0, 0], JSON.stringify(options));
      }
      assert.deepEqual(await scanning.findings(), before);
    });
});
