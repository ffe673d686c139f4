import { bearer } from '../adapters/code/bearer.ts';
import { brakeman } from '../adapters/code/brakeman.ts';
import { clangTidy } from '../adapters/code/clang-tidy.ts';
import { codeQuality } from '../adapters/code/code-quality.ts';
import { coverity } from '../adapters/code/coverity.ts';
import { githubCodeScanning } from '../adapters/code/github-code-scanning.ts';
import { gitlabFuzzing } from '../adapters/code/gitlab-fuzzing.ts';
import { golangciLint } from '../adapters/code/golangci-lint.ts';
import { gosec } from '../adapters/code/gosec.ts';
import { infer } from '../adapters/code/infer.ts';
import { mobsf } from '../adapters/code/mobsf.ts';
import { njsscan } from '../adapters/code/njsscan.ts';
import { phpstan } from '../adapters/code/phpstan.ts';
import { pmd, pmdXml } from '../adapters/code/pmd.ts';
import { progpilot } from '../adapters/code/progpilot.ts';
import { psalm } from '../adapters/code/psalm.ts';
import { pylint } from '../adapters/code/pylint.ts';
import { sonarqube } from '../adapters/code/sonarqube.ts';
import { spotbugs } from '../adapters/code/spotbugs.ts';
import { staticcheck } from '../adapters/code/staticcheck.ts';
import { bundlerAudit } from '../adapters/dependencies/bundler-audit.ts';
import { cargoAudit } from '../adapters/dependencies/cargo-audit.ts';
import { cargoDeny } from '../adapters/dependencies/cargo-deny.ts';
import { dependabot } from '../adapters/dependencies/dependabot.ts';
import { dependencyCheck, dependencyCheckXml } from '../adapters/dependencies/dependency-check.ts';
import { gitlabContainer } from '../adapters/dependencies/gitlab-container.ts';
import { govulncheck } from '../adapters/dependencies/govulncheck.ts';
import { grype } from '../adapters/dependencies/grype.ts';
import { npmAudit, pnpmAudit } from '../adapters/dependencies/npm-audit.ts';
import { osvScanner } from '../adapters/dependencies/osv-scanner.ts';
import { pipAudit } from '../adapters/dependencies/pip-audit.ts';
import { safety } from '../adapters/dependencies/safety.ts';
import { snyk } from '../adapters/dependencies/snyk.ts';
import { trivy } from '../adapters/dependencies/trivy.ts';
import { yarnAudit, yarnNpmAudit } from '../adapters/dependencies/yarn-audit.ts';
import { defectdojoCsv, defectdojoJson } from '../adapters/exports/defectdojo.ts';
import { semgrepCsv, semgrepFindings } from '../adapters/exports/semgrep-platform.ts';
import type { ReportFormatDefinition } from '../adapters/format-definition.ts';
import { checkov } from '../adapters/infrastructure/checkov.ts';
import { hadolint } from '../adapters/infrastructure/hadolint.ts';
import { kics } from '../adapters/infrastructure/kics.ts';
import { kubeBench } from '../adapters/infrastructure/kube-bench.ts';
import { kubescape } from '../adapters/infrastructure/kubescape.ts';
import { polaris } from '../adapters/infrastructure/polaris.ts';
import { prowler, prowlerCsv } from '../adapters/infrastructure/prowler.ts';
import { scoutsuite } from '../adapters/infrastructure/scoutsuite.ts';
import { terrascan } from '../adapters/infrastructure/terrascan.ts';
import { tfsec } from '../adapters/infrastructure/tfsec.ts';
import { detectSecrets } from '../adapters/secrets/detect-secrets.ts';
import { ggshield } from '../adapters/secrets/ggshield.ts';
import { githubSecrets } from '../adapters/secrets/github-secrets.ts';
import { gitleaks } from '../adapters/secrets/gitleaks.ts';
import { trufflehog } from '../adapters/secrets/trufflehog.ts';
import { arachni } from '../adapters/web/arachni.ts';
import { burp } from '../adapters/web/burp.ts';
import { dastardly } from '../adapters/web/dastardly.ts';
import { gitlabDast } from '../adapters/web/gitlab-dast.ts';
import { nessus } from '../adapters/web/nessus.ts';
import { nikto } from '../adapters/web/nikto.ts';
import { nmap } from '../adapters/web/nmap.ts';
import { nuclei } from '../adapters/web/nuclei.ts';
import { openvas } from '../adapters/web/openvas.ts';
import { zap, zapXml } from '../adapters/web/zap.ts';
import { mapped } from '../mapping/mapped-format.ts';
import type { ReportFormat } from '../shape.ts';
import { ESTABLISHED_FORMATS } from './established-formats.ts';

/** All formats with their facts and adapters. */
export const FORMAT_DEFINITIONS: Record<ReportFormat, ReportFormatDefinition> = {
  ...ESTABLISHED_FORMATS,
  trivy,
  grype,
  'osv-scanner': osvScanner,
  snyk,
  'npm-audit': npmAudit,
  'pnpm-audit': pnpmAudit,
  'yarn-audit': yarnAudit,
  'yarn-npm-audit': yarnNpmAudit,
  'pip-audit': pipAudit,
  safety,
  'cargo-audit': cargoAudit,
  'cargo-deny': cargoDeny,
  'bundler-audit': bundlerAudit,
  govulncheck,
  'dependency-check': dependencyCheck,
  'dependency-check-xml': dependencyCheckXml,
  'github-dependabot': dependabot,
  'gitlab-container': gitlabContainer,
  gitleaks,
  trufflehog,
  'detect-secrets': detectSecrets,
  ggshield,
  'github-secret-scanning': githubSecrets,
  gosec,
  brakeman,
  spotbugs,
  pmd,
  'pmd-xml': pmdXml,
  pylint,
  njsscan,
  bearer,
  psalm,
  progpilot,
  phpstan,
  sonarqube,
  mobsf,
  staticcheck,
  'golangci-lint': golangciLint,
  'clang-tidy': clangTidy,
  infer,
  coverity,
  'gitlab-code-quality': codeQuality,
  'github-code-scanning': githubCodeScanning,
  'gitlab-coverage-fuzzing': gitlabFuzzing,
  checkov,
  tfsec,
  kics,
  terrascan,
  hadolint,
  'kube-bench': kubeBench,
  kubescape,
  polaris,
  prowler,
  'prowler-csv': prowlerCsv,
  scoutsuite,
  zap,
  'zap-xml': zapXml,
  burp,
  nuclei,
  nikto,
  nmap,
  nessus,
  openvas,
  arachni,
  dastardly,
  'gitlab-dast': gitlabDast,
  'defectdojo-json': defectdojoJson,
  'defectdojo-csv': defectdojoCsv,
  'semgrep-findings': semgrepFindings,
  'semgrep-csv': semgrepCsv,
  mapped,
};
