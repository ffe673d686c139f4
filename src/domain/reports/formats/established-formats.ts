import type { ReportFormatDefinition } from '../adapters/format-definition.ts';
import { gitlabSast, gitlabSecrets } from '../adapters/gitlab/gitlab.ts';
import { bandit } from '../adapters/linters/bandit.ts';
import { checkstyle } from '../adapters/linters/checkstyle.ts';
import { cppcheck } from '../adapters/linters/cppcheck.ts';
import { eslint } from '../adapters/linters/eslint.ts';
import { flawfinderCsv } from '../adapters/linters/flawfinder-csv.ts';
import { astGrep, biome, oxlint, ruff } from '../adapters/linters/linters.ts';
import { secretlint } from '../adapters/linters/secretlint.ts';
import { shellcheck } from '../adapters/linters/shellcheck.ts';
import { retire } from '../adapters/retire.ts';
import { sarif } from '../adapters/sarif/sarif.ts';
import { cyclonedxJson, cyclonedxXml } from '../adapters/sbom/cyclonedx-adapter.ts';
import { openvex } from '../adapters/sbom/openvex.ts';
import { spdxJson } from '../adapters/sbom/spdx.ts';
import { semgrepCi } from '../adapters/semgrep/semgrep-ci.ts';
import { semgrepJson } from '../adapters/semgrep/semgrep-json.ts';

const UNLESS_FAILED = 'what is missing from the report, except in files that failed';
const IN_LISTED_FILES = 'what is missing from the files that the report lists';
const LINTER_LEVELS = { error: 'high', warning: 'medium', info: 'info', hint: 'info', style: 'low' } as const;

/** Formats that are shared by many tools, and those of the first linters. */
export const ESTABLISHED_FORMATS = {
  sarif: {
    tool: 'unknown',
    writtenBy: 'SARIF 2.1.0 of any tool, such as CodeQL, Snyk Code, MSDO or Opengrep',
    version: '2.1.0',
    fixture: 'recorded',
    reads:
      'results, rules (also of extensions), tool, category (`automationDetails.id`), `suppressions`, ' +
      '`baselineState`, `invocations`, `artifacts`, snippets, logical locations, code flows, fixes, fingerprints, ' +
      '`security-severity`',
    results: ['code', 'secret'],
    ownId: '`fingerprints` and `partialFingerprints`',
    closes: UNLESS_FAILED,
    reader: { json: sarif },
  },
  'semgrep-json': {
    tool: 'Semgrep',
    writtenBy: '`semgrep scan --json`, Opengrep',
    version: '1.93',
    fixture: 'recorded',
    reads: 'results, ignored ones too, metadata, fingerprint, trace, dependency matches, errors, scanned paths',
    results: ['code', 'component', 'secret'],
    ownId: '`extra.fingerprint`',
    closes: IN_LISTED_FILES,
    severities: { error: 'high', warning: 'medium', info: 'low' },
    reader: { json: semgrepJson },
  },
  'semgrep-ci': {
    tool: 'Semgrep',
    writtenBy: 'the upload of `semgrep ci`',
    version: '1.40 to 1.99',
    fixture: 'recorded',
    reads: 'findings, ignores, dependencies, rules run, paths searched, skipped and renamed; its `token` is never read',
    results: ['code', 'component', 'secret'],
    ownId: '`match_based_id`',
    closes: 'what is missing from the files that were searched, and everything of rules that were removed',
    severities: { error: 'high', warning: 'medium', info: 'low' },
    reader: { json: semgrepCi },
  },
  'gitlab-sast': {
    tool: 'unknown',
    writtenBy: 'GitLab SAST analyzers, `semgrep --gitlab-sast`',
    version: '15',
    fixture: 'recorded',
    reads: 'vulnerabilities, identifiers, tracking signatures, scanner, status, primary identifiers',
    results: ['code'],
    ownId: 'tracking signatures and `cve`',
    closes: 'what is missing from the report, if its `status` is `success`',
    reader: { json: gitlabSast },
  },
  'gitlab-secrets': {
    tool: 'unknown',
    writtenBy: 'GitLab secret detection, `semgrep --gitlab-secrets`',
    version: '15',
    fixture: 'recorded',
    reads: 'as `gitlab-sast`, and the value',
    results: ['secret'],
    closes: 'what is missing from the report, if its `status` is `success`',
    reader: { json: gitlabSecrets },
  },
  'gitlab-dependency': {
    tool: 'unknown',
    writtenBy: 'GitLab dependency scanning',
    version: '15.0',
    fixture: 'written',
    reads: 'vulnerabilities of dependencies, the dependencies of each file, scanner, status',
    results: ['component'],
    closes: 'what is missing from the report, if its `status` is `success`',
    reader: { json: gitlabSast },
  },
  'cyclonedx-json': {
    tool: 'unknown',
    writtenBy: 'CycloneDX 1.4 to 1.7 of any tool',
    version: '1.7',
    fixture: 'recorded',
    reads: 'components (nested too), dependencies, vulnerabilities as findings, `analysis` as decisions',
    results: ['component', 'decision'],
    reader: { json: cyclonedxJson },
  },
  'cyclonedx-xml': {
    tool: 'unknown',
    writtenBy: 'CycloneDX XML 1.4 to 1.7 of any tool',
    version: '1.6',
    fixture: 'recorded',
    reads: 'as `cyclonedx-json`',
    results: ['component', 'decision'],
    reader: { xml: cyclonedxXml },
  },
  'spdx-json': {
    tool: 'unknown',
    writtenBy: 'SPDX 2.2 and 2.3 of any tool',
    version: '2.3',
    fixture: 'recorded',
    reads: 'packages, relationships',
    results: ['component'],
    reader: { json: spdxJson },
  },
  openvex: {
    tool: 'unknown',
    writtenBy: 'vexctl and others',
    version: '0.2.0',
    fixture: 'written',
    reads: 'statements as decisions',
    results: ['decision'],
    closes: 'nothing',
    reader: { json: openvex },
  },
  secretlint: {
    tool: 'secretlint',
    writtenBy: '`secretlint --format json`',
    version: '10',
    fixture: 'recorded',
    reads: 'messages, the value by its range',
    results: ['secret'],
    closes: IN_LISTED_FILES,
    reader: { json: secretlint },
  },
  bandit: {
    tool: 'Bandit',
    writtenBy: '`bandit -f json`',
    version: '1.8',
    fixture: 'recorded',
    reads: 'results, errors, files looked at',
    results: ['code'],
    closes: IN_LISTED_FILES,
    reader: { json: bandit },
  },
  eslint: {
    tool: 'ESLint',
    writtenBy: '`eslint -f json`',
    version: '9',
    fixture: 'recorded',
    reads: 'messages, suppressed ones, files that failed',
    results: ['code'],
    closes: IN_LISTED_FILES,
    severities: { '2': 'high', '1': 'medium' },
    reader: { json: eslint },
  },
  'flawfinder-csv': {
    tool: 'Flawfinder',
    writtenBy: '`flawfinder --csv`',
    version: '2.0',
    fixture: 'recorded',
    reads: 'all rows',
    results: ['code'],
    ownId: '`Fingerprint`',
    severities: { '5': 'high', '4': 'high', '3': 'medium', '2': 'low', '1': 'low', '0': 'info' },
    reader: { csv: flawfinderCsv },
  },
  'shellcheck-json1': {
    tool: 'ShellCheck',
    writtenBy: '`shellcheck -f json1`',
    version: '0.9',
    fixture: 'recorded',
    reads: 'comments',
    results: ['code'],
    severities: LINTER_LEVELS,
    reader: { json: shellcheck },
  },
  checkstyle: {
    tool: 'Checkstyle',
    writtenBy: 'Checkstyle, ShellCheck, PHP_CodeSniffer and others',
    version: '4.3',
    fixture: 'recorded',
    reads: 'errors by file',
    results: ['code'],
    closes: IN_LISTED_FILES,
    reader: { xml: checkstyle },
  },
  cppcheck: {
    tool: 'Cppcheck',
    writtenBy: '`cppcheck --xml`',
    version: '2.10',
    fixture: 'recorded',
    reads: 'errors, locations as a trace, files that failed',
    results: ['code'],
    ownId: '`hash`',
    closes: UNLESS_FAILED,
    severities: { error: 'high', warning: 'medium', style: 'low', performance: 'low', portability: 'low' },
    reader: { xml: cppcheck },
  },
  retire: {
    tool: 'Retire.js',
    writtenBy: '`retire --outputformat json`, `jsonsimple`',
    version: '5',
    fixture: 'recorded',
    reads: 'libraries, vulnerabilities, errors',
    results: ['component'],
    closes: 'what is missing from the report, if it has no errors',
    reader: { json: retire },
  },
  ruff: linter('ruff', '`ruff check --output-format json`', '0.14', { json: ruff }),
  oxlint: linter('oxlint', '`oxlint -f json`', '1', { json: oxlint }),
  biome: linter('Biome', '`biome lint --reporter=json`', '2', { json: biome }),
  'ast-grep': linter('ast-grep', '`ast-grep scan --json`', '0.39', { json: astGrep }),
} as const satisfies Record<string, ReportFormatDefinition>;

function linter(
  tool: string,
  writtenBy: string,
  version: string,
  reader: ReportFormatDefinition['reader'],
): ReportFormatDefinition {
  return {
    tool,
    writtenBy,
    version,
    fixture: 'recorded',
    reads: 'findings, files that failed',
    results: ['code'],
    closes: UNLESS_FAILED,
    severities: LINTER_LEVELS,
    reader,
  };
}
