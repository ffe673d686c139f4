import type { ReportFormatDefinition, ResultKind } from '#domain/reports/adapters/format-definition.ts';
import { FORMAT_DEFINITIONS } from '#domain/reports/formats/format-definitions.ts';
import { REPORT_FORMATS } from '#domain/reports/shape.ts';

/** The page about report formats, from their definitions. */

const IDENTITIES: Record<ResultKind, string> = {
  code: 'rule, file and code; without code, rule, file and order',
  component: 'advisory, package and manifest, never the version',
  secret: 'kind and value of the secret; without a value, as code',
  endpoint: 'rule, address without its query, method and parameter',
  resource: 'rule, resource and part of it',
  decision: '',
};

const PLACES: Record<ResultKind, string> = {
  code: 'code: file and line',
  component: 'component: manifest or image',
  secret: 'secret: file and line',
  endpoint: 'endpoint: address',
  resource: 'resource: its name',
  decision: 'decisions',
};

function identityText({ results, ownId }: ReportFormatDefinition): string {
  const kinds = results.map((kind) => IDENTITIES[kind]).filter((text) => text !== '');
  const own = ownId === undefined ? [] : [`the tool's own ${ownId}`];
  return [...own, ...new Set(kinds)].join('; ') || 'advisory and package';
}

function severityText({ severities }: ReportFormatDefinition): string {
  if (severities === undefined) return 'the usual words';
  const pairs = Object.entries(severities).map(([word, severity]) => `${word}: ${severity}`);
  return pairs.join(', ') || 'none given, medium';
}

const INTRO = `A report is recognized by its content, not by the name of its file; \`format\` of an import names one of
these instead. A *recorded* report in the tests was written by the tool itself, a *written* one by hand from the tool's
documentation. What the words of a report become, and what is refused, is in \`report-formats.md\`; reports of other tools
can be mapped, see \`../guides/mapping-reports.md\`.

`;

export function formatsPage(generated: string, table: (head: string[], rows: string[][]) => string): string {
  const rowsOf = (cells: (definition: ReportFormatDefinition) => string[]) =>
    REPORT_FORMATS.map((format) => [`\`${format}\``, ...cells(FORMAT_DEFINITIONS[format])]);
  const written = rowsOf(({ tool, writtenBy, version, fixture, reads }) => [
    tool === 'unknown' ? 'as the report says' : tool,
    writtenBy,
    version,
    fixture,
    reads,
  ]);
  const tracked = rowsOf((definition) => [
    definition.results.map((kind) => PLACES[kind]).join('; '),
    identityText(definition),
    definition.closes ?? 'what is missing from the report',
    severityText(definition),
  ]);
  const count = `${REPORT_FORMATS.length} formats.\n\n`;
  const first = table(['Format', 'Tool', 'Written by', 'Version seen', 'Report in the tests', 'What is read'], written);
  const second = table(
    ['Format', 'Results and their place', 'Identified by', 'An import closes', 'Severities'],
    tracked,
  );
  return `# Formats of reports\n\n${generated}${INTRO}${count}${first}\n\n## How results are tracked\n\n${second}\n`;
}
