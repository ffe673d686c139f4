import { ecosystemOf } from '../adapters/ecosystems.ts';
import type { ReportFormatDefinition } from '../adapters/format-definition.ts';
import {
  codeResult,
  componentResult,
  endpointResult,
  resourceResult,
  secretResult,
  word,
} from '../adapters/result-items.ts';
import { confidenceOf, severityIn, severityOf, severityOfScore } from '../adapters/taxonomy.ts';
import { type LooseObject, number, object } from '../json/loose-values.ts';
import { ReportError } from '../report-error.ts';
import type { ReportItem } from '../report-items.ts';
import type { ReportMapping } from './report-mapping.ts';
import { elementValue, valuesAt } from './value-paths.ts';

/** The format of reports that a mapping describes; which one, the import says. */
export const mapped: ReportFormatDefinition = {
  tool: 'unknown',
  writtenBy: 'any tool, by a mapping of the operator',
  version: 'any',
  fixture: 'written',
  reads: 'what the mapping names, of JSON, JSON lines, CSV or XML',
  results: ['code', 'component', 'secret', 'endpoint', 'resource'],
  ownId: '`id` of the mapping',
  reader: {
    json: () => {
      throw new ReportError('NOT_VALID', 'The format mapped needs the name of a mapping, in `mapping`.');
    },
  },
};

/** The definition of a format that is described by a mapping. */
export function mappedFormat(mapping: ReportMapping): ReportFormatDefinition {
  return { ...mapped, tool: mapping.tool, writtenBy: mapping.tool, reader: readerOf(mapping) };
}

function readerOf(mapping: ReportMapping): ReportFormatDefinition['reader'] {
  const { format, results = '', root = '', separator } = mapping;
  const itemsOf = resultReader(mapping);
  if (format === 'jsonl') {
    const members = [...new Set(pathsOf(mapping).map((path) => path.split(/[.[]/, 1)[0] ?? path))];
    return { jsonLines: () => ({ members, canBeEmpty: true, take: itemsOf }) };
  }
  if (format === 'csv')
    return { csv: () => ({ required: columnsOf(mapping), ...(separator && { separator }), take: itemsOf }) };
  if (format === 'xml')
    return {
      xml: () => ({ roots: [root], elements: [results], take: (element) => itemsOf(elementValue(element)) }),
    };
  const required = results.endsWith('.*') ? `${results.slice(0, -2)}{}` : results.replace(/\[\]$/, '$');
  return {
    json: () => ({
      required: [required],
      paths: [results],
      take: ({ value, key }) => itemsOf(key === undefined ? object(value) : { ...object(value), '*': key }),
    }),
  };
}

const pathsOf = ({ fields }: ReportMapping): string[] =>
  Object.values(fields).flatMap((field) => (typeof field === 'string' ? [field] : Array.isArray(field) ? field : []));

/** Columns that must be there: of fields with one path; others are alternatives. */
const columnsOf = ({ fields }: ReportMapping): string[] => [
  ...new Set(Object.values(fields).flatMap((field) => (typeof field === 'string' ? [field] : []))),
];

/** Reads one result. */
function resultReader({ kind, fields, severities, only = {} }: ReportMapping) {
  const words =
    severities && Object.fromEntries(Object.entries(severities).map(([name, to]) => [name.toLowerCase(), to]));
  const wanted = Object.entries(only).map(([path, values]) => [path, new Set(values.map(String))] as const);
  const severityFrom = (value: unknown) => {
    const score = number(value);
    const named = words ? severityIn(words, word(value)) : severityOf(value);
    return named ?? (score === undefined || words ? severityOf(value) : severityOfScore(score));
  };
  return function* (record: LooseObject): Iterable<ReportItem> {
    if (!wanted.every(([path, values]) => valuesAt(record, path).some((value) => values.has(String(value))))) return;
    const all = (name: string): unknown[] => {
      const field = fields[name];
      if (field === undefined) return [];
      if (typeof field === 'object' && !Array.isArray(field)) return [field.value];
      for (const path of Array.isArray(field) ? field : [field]) {
        const found = valuesAt(record, path);
        if (found.length > 0) return found;
      }
      return [];
    };
    yield resultOf(kind, all, severityFrom(all('severity')[0]));
  };
}

function resultOf(
  kind: ReportMapping['kind'],
  all: (name: string) => unknown[],
  severity: ReturnType<typeof severityOf>,
): ReportItem {
  const one = (name: string) => all(name)[0];
  const facts = {
    rule: one('rule'),
    title: one('title'),
    message: one('message'),
    severity,
    confidence: confidenceOf(one('confidence')),
    category: one('category'),
    cwes: all('cwe'),
    owasps: all('owasp'),
    references: all('references'),
    fix: one('fix'),
  };
  const region = { line: one('line'), column: one('column'), endLine: one('endLine'), endColumn: one('endColumn') };
  const place = { file: one('file'), ...region };
  if (kind === 'endpoint') {
    const request = { method: one('method'), parameter: one('parameter'), evidence: one('evidence') };
    return endpointResult({ ...facts, ...request, url: one('url'), port: one('port') });
  }
  if (kind === 'resource') return resourceResult({ ...facts, resource: one('resource'), scope: one('scope') });
  if (kind === 'component') {
    const found = { package: one('package'), version: one('version'), ecosystem: ecosystemOf(one('ecosystem')) };
    return componentResult({
      ...facts,
      ...place,
      ...found,
      advisories: all('advisories'),
      fixVersions: all('fixVersions'),
    });
  }
  if (kind === 'secret') {
    const secret = { type: one('type'), value: one('value'), valueDigest: one('valueDigest'), code: one('code') };
    return secretResult({ ...facts, ...place, ...secret });
  }
  return codeResult({
    ...facts,
    ...place,
    code: one('code'),
    scope: one('scope'),
    fingerprints: { mapped: word(one('id')) },
  });
}
