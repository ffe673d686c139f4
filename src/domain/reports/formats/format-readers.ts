import type { AdapterContext, CsvAdapter, JsonAdapter, XmlAdapter } from '../adapters/adapter.ts';
import { bandit } from '../adapters/bandit.ts';
import { checkstyle } from '../adapters/checkstyle.ts';
import { cppcheck } from '../adapters/cppcheck.ts';
import { eslint } from '../adapters/eslint.ts';
import { flawfinderCsv } from '../adapters/flawfinder-csv.ts';
import { gitlabSast, gitlabSecrets } from '../adapters/gitlab.ts';
import { astGrep, biome, oxlint, ruff } from '../adapters/linters.ts';
import { retire } from '../adapters/retire.ts';
import { sarif } from '../adapters/sarif/sarif.ts';
import { cyclonedxJson, cyclonedxXml } from '../adapters/sbom/cyclonedx-adapter.ts';
import { openvex } from '../adapters/sbom/openvex.ts';
import { spdxJson } from '../adapters/sbom/spdx.ts';
import { secretlint } from '../adapters/secretlint.ts';
import { semgrepCi } from '../adapters/semgrep/semgrep-ci.ts';
import { semgrepJson } from '../adapters/semgrep/semgrep-json.ts';
import { shellcheck } from '../adapters/shellcheck.ts';
import type { ReportFormat } from '../shape.ts';

/** The adapter of each format, and the tool's name until the report states it. */
export type FormatReader = { tool: string } & (
  | { json: (context: AdapterContext) => JsonAdapter }
  | { xml: (context: AdapterContext) => XmlAdapter }
  | { csv: (context: AdapterContext) => CsvAdapter }
);

export const FORMAT_READERS: Record<ReportFormat, FormatReader> = {
  sarif: { tool: 'unknown', json: sarif },
  'semgrep-json': { tool: 'Semgrep', json: semgrepJson },
  'semgrep-ci': { tool: 'Semgrep', json: semgrepCi },
  'gitlab-sast': { tool: 'unknown', json: gitlabSast },
  'gitlab-secrets': { tool: 'unknown', json: gitlabSecrets },
  'cyclonedx-json': { tool: 'unknown', json: cyclonedxJson },
  'cyclonedx-xml': { tool: 'unknown', xml: cyclonedxXml },
  'spdx-json': { tool: 'unknown', json: spdxJson },
  openvex: { tool: 'unknown', json: openvex },
  secretlint: { tool: 'secretlint', json: secretlint },
  bandit: { tool: 'Bandit', json: bandit },
  eslint: { tool: 'ESLint', json: eslint },
  'flawfinder-csv': { tool: 'Flawfinder', csv: flawfinderCsv },
  'shellcheck-json1': { tool: 'ShellCheck', json: shellcheck },
  checkstyle: { tool: 'Checkstyle', xml: checkstyle },
  cppcheck: { tool: 'Cppcheck', xml: cppcheck },
  retire: { tool: 'Retire.js', json: retire },
  ruff: { tool: 'ruff', json: ruff },
  oxlint: { tool: 'oxlint', json: oxlint },
  biome: { tool: 'Biome', json: biome },
  'ast-grep': { tool: 'ast-grep', json: astGrep },
};
