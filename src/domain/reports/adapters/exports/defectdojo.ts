import { type LooseObject, object, objects, text, texts } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { urlsIn } from '../html-text.ts';
import { codeResult, componentResult, endpointResult, firstWord, inside, toolItem, word } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

const FACTS = {
  tool: 'DefectDojo',
  version: '2.42',
  fixture: 'written',
  reads: 'active findings by file, address or component; false positives and accepted risks as ignored',
  results: ['code', 'endpoint', 'component', 'decision'],
  ownId: '`unique_id_from_tool`',
} as const;

const isTrue = (value: unknown) => value === true || /^(true|yes|1)$/i.test(text(value) ?? '');

export const defectdojoJson: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: 'DefectDojo, Generic Findings Import (JSON) and `GET /api/v2/findings`',
  closes: 'what is missing from the report; nothing by a reply of the API, which is one page of several',
  signs: [
    ['findings[].title', 'findings[].severity', 'findings[].description'],
    ['results[].title', 'results[].numerical_severity'],
  ],
  reader: {
    json: () => {
      let isPage = false;
      return {
        required: ['findings$', 'results$'],
        paths: ['type', 'findings[]', 'results[]'],
        *take({ path, value }): Iterable<ReportItem> {
          isPage ||= path === 'results[]';
          const tool = path === 'type' ? toolOf(value) : undefined;
          if (tool !== undefined) yield toolItem(tool, undefined);
          if (path !== 'type') yield* findingsOf(object(value));
        },
        *finish(): Iterable<ReportItem> {
          if (isPage) yield { kind: 'coverage', isIncomplete: true };
        },
      };
    },
  },
};

/** `Trivy Scan` and `Semgrep JSON Report` are types of tests; the findings are those of Trivy and Semgrep. */
const toolOf = (type: unknown) => word(word(type)?.replace(/\s+(\w+\s+)?(Scan|Report|Import|Results?)\b.*$/i, ''));

function* findingsOf(finding: LooseObject): Iterable<ReportItem> {
  if (finding['active'] === false && !isTrue(finding['false_p']) && !isTrue(finding['risk_accepted'])) return;
  if (isTrue(finding['duplicate']) || isTrue(finding['is_mitigated'])) return;
  const id = word(finding['id']);
  for (const item of itemsOf(finding)) {
    yield item.kind === 'finding' && id !== undefined ? { ...item, matchBasedId: `defectdojo-${id}` } : item;
    if (item.kind !== 'finding') continue;
    if (isTrue(finding['false_p'])) yield ignored('false_positive');
    else if (isTrue(finding['risk_accepted'])) yield ignored('acceptable_risk');
  }
}

const ignored = (reason: 'false_positive' | 'acceptable_risk'): ReportItem => ({
  kind: 'decision',
  source: 'sarif',
  state: 'ignored',
  reason,
});

function itemsOf(finding: LooseObject): ReportItem[] {
  const facts = {
    rule: firstWord(finding['vuln_id_from_tool'], finding['title']),
    title: finding['title'],
    message: finding['description'],
    severity: severityOf(finding['severity']),
    cwes: word(finding['cwe']) === '0' ? undefined : finding['cwe'],
    references: urlsIn(text(finding['references'])),
  };
  const ids = objects(finding['vulnerability_ids']).map((entry) => inside(entry, 'vulnerability_id'));
  const advisories = [finding['cve'], ...ids, ...texts(finding['vulnerability_ids'])].filter((id) => word(id));
  const file = { file: firstWord(finding['file_path'], finding['sast_source_file_path']), line: finding['line'] };
  if (word(finding['component_name']) !== undefined && advisories.length > 0) {
    const component = { package: finding['component_name'], version: finding['component_version'] };
    return [componentResult({ ...facts, ...file, ...component, advisories })];
  }
  const addresses = file.file === undefined ? [finding['endpoints']].flat().flatMap((one) => addressOf(one) ?? []) : [];
  if (addresses.length > 0)
    return addresses.map((url) => endpointResult({ ...facts, url, parameter: finding['param'] }));
  const fingerprints = {
    'defectdojo/id': word(finding['unique_id_from_tool']),
    'defectdojo/finding': word(finding['id']),
  };
  return [codeResult({ ...facts, ...file, fingerprints })];
}

/** An address, or its parts; the API has ids instead, which say nothing here. */
function addressOf(endpoint: unknown): string | undefined {
  if (typeof endpoint === 'string') return word(endpoint);
  const { protocol, host, port, path } = object(endpoint);
  if (word(host) === undefined) return undefined;
  const start = word(protocol) === undefined ? '' : `${word(protocol)}://`;
  const end = word(path)?.replace(/^\/*/, '/') ?? '';
  return `${start}${word(host)}${word(port) === undefined ? '' : `:${word(port)}`}${end}`;
}

export const defectdojoCsv: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: 'DefectDojo, Generic Findings Import (CSV)',
  reader: {
    csv: () => ({
      required: ['Title', 'Severity', 'Description', 'Mitigation', 'FalsePositive'],
      *take(row): Iterable<ReportItem> {
        yield* findingsOf({
          title: row['Title'],
          description: row['Description'],
          severity: row['Severity'],
          cwe: row['CweId'],
          cve: row['CVE'],
          endpoints: word(row['Url']),
          references: row['References'],
          component_name: row['ComponentName'],
          component_version: row['ComponentVersion'],
          file_path: row['FilePath'],
          line: row['Line'],
          active: row['Active'] === undefined || row['Active'] === '' || isTrue(row['Active']),
          false_p: row['FalsePositive'],
          duplicate: row['Duplicate'],
        });
      },
    }),
  },
};
