import type { ReportFormat } from '#domain/reports/shape.ts';

/** How to write a report of any number of results, and what the adapter must find in it. */
export interface LargeReport {
  format: ReportFormat;
  head: (count: number) => string;
  result: (index: number) => string;
  separator: string;
  tail: (count: number) => string;
  /** The kind of item that each result becomes; default: a finding. */
  kind?: 'finding' | 'dependency' | 'decision';
  /** Results of a report that its adapter reads as a whole, for which the size of one value is limited. */
  most?: number;
}

const SOURCE_LINES = 2000;
const source = 'const value = compute(1);\\n'.repeat(SOURCE_LINES);
/** A minified file: everything is on one line. */
const longLine = 'call();'.repeat(100_000);
const range = '{"start":{"line":7,"column":3},"end":{"line":7,"column":9}}';

const list = (format: ReportFormat, result: LargeReport['result'], member?: string): LargeReport => ({
  format,
  head: () => (member === undefined ? '[' : `{"${member}":[`),
  result,
  separator: ',',
  tail: () => (member === undefined ? ']' : ']}'),
});

const sarif = (result: LargeReport['result'], driver: (count: number) => string = () => ''): LargeReport => ({
  format: 'sarif',
  head: (count) => `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"checker"${driver(count)}}},"results":[`,
  result,
  separator: ',',
  tail: () => ']}]}',
});

const at = (path: string, line: number) =>
  `"locations":[{"physicalLocation":{"artifactLocation":{"uri":"${path}"},"region":{"startLine":${line}}}}]`;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

const eslintMessage = (index: number) =>
  `{"ruleId":"rule-${index}","severity":1,"message":"m","line":1,"column":${index + 1},"endLine":${SOURCE_LINES}}`;
const secretlintMessage = (index: number) =>
  `{"ruleId":"rule-${index}","message":"found","range":[0,${source.length}],"loc":{"start":{"line":1,"column":0},` +
  `"end":{"line":${SOURCE_LINES},"column":3}},"severity":"error","messageId":"Key${index}"}`;
const vulnerability = (category: string) => (index: number) =>
  `{"id":"v${index}","category":"${category}","name":"n","message":"m ${index}","severity":"High","scanner":` +
  `{"id":"s","name":"s"},"identifiers":[{"type":"t","name":"rule-${index}","value":"rule-${index}"}],` +
  `"location":{"file":"src/${index}.js","start_line":${index + 1}},"raw_source_code_extract":"key${index}"}`;
const dependencyVulnerability = (index: number): string =>
  JSON.stringify({
    id: `${index}`,
    name: 'Vulnerable package',
    severity: 'High',
    location: { file: 'yarn.lock', dependency: { package: { name: `p${index}` }, version: '1.0.0' } },
    identifiers: [{ type: 'cve', name: `CVE-2024-${index}`, value: `CVE-2024-${index}` }],
  });

const gitlab = (
  format: ReportFormat,
  type: string,
  result: (index: number) => string = vulnerability(type),
): LargeReport => ({
  ...list(format, result),
  head: () =>
    `{"version":"15.0.4","scan":{"type":"${type}","status":"success","scanner":{"id":"s","name":"s"}},` +
    '"vulnerabilities":[',
  tail: () => ']}',
});

/** Each component depends on the next one: the longest chain. */
const cyclonedx: LargeReport = {
  format: 'cyclonedx-json',
  kind: 'dependency',
  head: () =>
    '{"bomFormat":"CycloneDX","specVersion":"1.6","metadata":{"component":{"bom-ref":"root","name":"app"}},' +
    '"components":[',
  result: (index) =>
    `{"type":"library","name":"p${index}","version":"1.0.0","bom-ref":"r${index}","purl":"pkg:npm/p${index}@1.0.0"}`,
  separator: ',',
  tail: (count) =>
    `],"dependencies":[{"ref":"root","dependsOn":["r0"]}${numbers(count)
      .map((index) => `,{"ref":"r${index}","dependsOn":["r${index + 1}"]}`)
      .join('')}]}`,
};

const xml = (format: ReportFormat, parts: [string, LargeReport['result'], string]): LargeReport => ({
  format,
  head: () => `<?xml version="1.0"?>${parts[0]}`,
  result: parts[1],
  separator: '',
  tail: () => parts[2],
});

/** The worst reports for each reader: many rules, many files, one long file, one long text, long chains. */
export const LARGE_REPORTS: Record<string, LargeReport> = {
  'sarif, a rule for each result': sarif(
    (index) => `{"ruleId":"rule-${index}","message":{"text":"m"},${at('a.js', index + 1)}}`,
    (count) =>
      `,"rules":[${numbers(count)
        .map((index) => `{"id":"rule-${index}","name":"Rule ${index}"}`)
        .join()}]`,
  ),
  'sarif, one rule with a long name': sarif(
    (index) =>
      `{"ruleId":"r","message":{"text":"{0}{0}{0}","arguments":["${'x'.repeat(500)}"]},${at(`${index}.js`, 1)}}`,
    () => `,"rules":[{"id":"r","name":"${'n'.repeat(100_000)}","shortDescription":{"text":"${'t'.repeat(100_000)}"}}]`,
  ),
  'semgrep-json': list(
    'semgrep-json',
    (index) =>
      `{"check_id":"rule-${index}","path":"src/${index}.py","start":{"line":4,"col":5,"offset":29},"end":{"line":4,` +
      '"col":15,"offset":39},"extra":{"message":"m","metadata":{},"severity":"ERROR","lines":"os.system(cmd)"}}',
    'results',
  ),
  'semgrep-ci': {
    ...list(
      'semgrep-ci',
      (index) =>
        `{"check_id":"rule-${index}","path":"src/${index}.py","line":9,"column":5,"end_line":9,"end_column":12,` +
        `"message":"m","severity":1,"index":${index},"syntactic_id":"s${index}","match_based_id":"m${index}_0",` +
        '"metadata":{},"is_blocking":false}',
    ),
    head: () => '{"findings":[',
    tail: (count) =>
      `],"ignores":[],"searched_paths":[${numbers(count)
        .map((index) => `"src/${index}.py"`)
        .join()}],"renamed_paths":[],` +
      `"rule_ids":[${numbers(count)
        .map((index) => `"rule-${index}"`)
        .join()}]}`,
  },
  'gitlab-sast': gitlab('gitlab-sast', 'sast'),
  'gitlab-dependency': gitlab('gitlab-dependency', 'dependency_scanning', dependencyVulnerability),
  'gitlab-secrets': gitlab('gitlab-secrets', 'secret_detection'),
  'cyclonedx-json, one chain': cyclonedx,
  'cyclonedx-xml': {
    ...xml('cyclonedx-xml', [
      '<bom xmlns="http://cyclonedx.org/schema/bom/1.6" version="1"><components>',
      (index) =>
        `<component type="library" bom-ref="r${index}"><name>p${index}</name><version>1.0.0</version>` +
        `<purl>pkg:npm/p${index}@1.0.0</purl></component>`,
      '</components></bom>',
    ]),
    kind: 'dependency',
  },
  'spdx-json, one chain': {
    format: 'spdx-json',
    kind: 'dependency',
    head: () => '{"spdxVersion":"SPDX-2.3","documentDescribes":["SPDXRef-app"],"packages":[',
    result: (index) =>
      `{"name":"p${index}","SPDXID":"SPDXRef-${index}","versionInfo":"1.0.0","externalRefs":[{"referenceCategory":` +
      `"PACKAGE-MANAGER","referenceType":"purl","referenceLocator":"pkg:npm/p${index}@1.0.0"}]}`,
    separator: ',',
    tail: (count) =>
      `],"relationships":[${numbers(count)
        .map(
          (n) =>
            `{"spdxElementId":"SPDXRef-${n}","relatedSpdxElement":"SPDXRef-${n + 1}","relationshipType":"DEPENDS_ON"}`,
        )
        .join()}]}`,
  },
  openvex: {
    ...list(
      'openvex',
      (index) =>
        `{"vulnerability":{"name":"CVE-2024-${10_000 + index}"},"products":[{"@id":"pkg:npm/p${index}@1.0.0"}],` +
        '"status":"not_affected","justification":"component_not_present"}',
    ),
    kind: 'decision',
    head: () => '{"@context":"https://openvex.dev/ns/v0.2.0","statements":[',
    tail: () => ']}',
  },
  'secretlint, results over the whole file': {
    ...list('secretlint', secretlintMessage),
    head: () => `[{"filePath":"a.js","sourceContent":"${source}","messages":[`,
    tail: () => ']}]',
    most: 10_000,
  },
  bandit: list(
    'bandit',
    (index) =>
      `{"code":"1 import os\\n","filename":"src/${index}.py","issue_confidence":"HIGH","issue_severity":"LOW",` +
      `"issue_text":"m","line_number":1,"line_range":[1],"test_id":"B${index}","test_name":"n"}`,
    'results',
  ),
  'eslint, a minified file': {
    ...list('eslint', eslintMessage),
    head: () => `[{"filePath":"a.js","source":"${longLine}","messages":[`,
    tail: () => ']}]',
    most: 10_000,
  },
  'flawfinder-csv': {
    format: 'flawfinder-csv',
    head: () =>
      'File,Line,Column,DefaultLevel,Level,Category,Name,Warning,Suggestion,Note,CWEs,Context,Fingerprint,' +
      'ToolVersion,RuleId,HelpUri\n',
    result: (index) =>
      `src/${index}.c,9,5,5,5,buffer,gets,"Overflow.",Use fgets().,,"CWE-120",gets(b);,f${index},2.0.19,FF${index},\n`,
    separator: '',
    tail: () => '',
  },
  shellcheck: list(
    'shellcheck-json1',
    (index) =>
      `{"file":"${index}.sh","line":2,"endLine":2,"column":1,"endColumn":6,"level":"warning","code":${index + 1},` +
      '"message":"m"}',
    'comments',
  ),
  'checkstyle, one long file name': {
    ...xml('checkstyle', [
      `<checkstyle version="4.3"><file name="${'d/'.repeat(20_000)}a.sh">`,
      (index) => `<error line="${index + 1}" column="1" severity="warning" message="m" source="Rule${index}"/>`,
      '</file></checkstyle>',
    ]),
    most: 10_000,
  },
  cppcheck: xml('cppcheck', [
    '<results version="2"><cppcheck version="2.10"/><errors>',
    (index) =>
      `<error id="rule${index}" severity="warning" msg="m" verbose="m" cwe="477"><location file="src/${index}.c" ` +
      'line="9" column="5"/></error>',
    '</errors></results>',
  ]),
  retire: {
    ...list(
      'retire',
      (index) =>
        `{"file":"lib/${index}.js","results":[{"version":"1.0.0","component":"p${index}","vulnerabilities":[{` +
        `"info":[],"severity":"high","identifiers":{"summary":"s","CVE":["CVE-2024-${10_000 + index}"]}}]}]}`,
    ),
    head: () => '{"version":"5.7.0","data":[',
    tail: () => ']}',
  },
  ruff: list(
    'ruff',
    (index) =>
      `{"code":"S${index}","filename":"src/${index}.py","location":{"column":12,"row":7},"end_location":{"column":21,` +
      '"row":7},"message":"m","name":"n","url":"https://example.com"}',
  ),
  oxlint: list(
    'oxlint',
    (index) =>
      `{"message":"m","code":"eslint(rule-${index})","severity":"error","filename":"${index}.js","labels":[{"label":` +
      '"l","span":{"offset":135,"length":7,"line":6,"column":7}}]}',
    'diagnostics',
  ),
  biome: {
    ...list(
      'biome',
      (index) =>
        `{"severity":"error","message":"m","category":"lint/style/rule${index}","location":{"path":"${index}.js",` +
        `"start":{"line":2,"column":26},"end":{"line":2,"column":41}},"advices":[]}`,
    ),
    head: () => '{"summary":{"changed":0,"unchanged":1},"diagnostics":[',
    tail: () => ']}',
  },
  'ast-grep': list(
    'ast-grep',
    (index) =>
      `{"text":"eval(x)","range":${range},"file":"${index}.js","lines":"eval(x)","ruleId":"rule-${index}",` +
      '"severity":"error","message":"m","language":"JavaScript"}',
  ),
};

const CHUNK_RESULTS = 200;

/** The bytes of a report, in chunks. */
export async function* largeReport(report: LargeReport, count: number): AsyncGenerator<Buffer> {
  yield Buffer.from(report.head(count));
  for (let from = 0; from < count; from += CHUNK_RESULTS) {
    const size = Math.min(CHUNK_RESULTS, count - from);
    const results = Array.from({ length: size }, (_, index) => report.result(from + index));
    yield Buffer.from((from === 0 ? '' : report.separator) + results.join(report.separator));
  }
  yield Buffer.from(report.tail(count));
}
