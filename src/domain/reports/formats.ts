import type { AdapterContext, CsvAdapter, JsonAdapter, XmlAdapter } from './adapter.ts';
import { sarif } from './adapters/sarif.ts';
import { semgrepJson } from './adapters/semgrep-json.ts';
import type { ReportFormat } from './reported.ts';

/** How each format is read, and what its tool is called before the report has said it. */
export type FormatReader = { tool: string } & (
  | { json: (context: AdapterContext) => JsonAdapter }
  | { xml: (context: AdapterContext) => XmlAdapter }
  | { csv: (context: AdapterContext) => CsvAdapter }
);

export const FORMATS: Partial<Record<ReportFormat, FormatReader>> = {
  sarif: { tool: 'unknown', json: sarif },
  'semgrep-json': { tool: 'Semgrep', json: semgrepJson },
};
