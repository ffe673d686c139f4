import { normalisePath } from '../../identity/report-paths.ts';
import { type LooseObject, object, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, toolItem } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

const FACTS = {
  tool: 'PMD',
  version: '7.8',
  fixture: 'written',
  reads: 'violations by file, files that could not be processed',
  results: ['code'],
  closes: 'what is missing from the report, except in files that failed',
  severities: { '1': 'high', '2': 'high', '3': 'medium', '4': 'low', '5': 'info' },
} as const satisfies Partial<ReportFormatDefinition>;

const violationOf = (violation: LooseObject, file: string, message: unknown): ReportItem =>
  codeResult({
    rule: violation['rule'],
    file,
    line: violation['beginline'],
    endLine: violation['endline'],
    column: violation['begincolumn'],
    message,
    severity: severityIn(FACTS.severities, violation['priority']),
    category: violation['ruleset'],
    references: violation['externalInfoUrl'],
  });

/** Reads violations of one file after the other, in either notation. */
class PmdFiles {
  readonly #failed: string[] = [];
  path = '';

  fail(file: unknown): void {
    const name = text(file);
    if (name !== undefined) this.#failed.push(normalisePath(name));
  }

  *finish(): Iterable<ReportItem> {
    if (this.#failed.length > 0) yield { kind: 'coverage', pathsFailed: this.#failed };
  }
}

export const pmd: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: '`pmd check -f json`',
  signs: [
    ['pmdVersion', 'files[]'],
    ['formatVersion', 'pmdVersion'],
  ],
  reader: {
    json: () => {
      const files = new PmdFiles();
      return {
        required: ['files$'],
        paths: ['pmdVersion', 'files[].filename', 'files[].violations[]', 'processingErrors[]'],
        *take({ path, value }): Iterable<ReportItem> {
          if (path === 'pmdVersion') yield toolItem('PMD', value);
          else if (path === 'files[].filename') files.path = text(value) ?? '';
          else if (path === 'processingErrors[]') files.fail(object(value)['filename']);
          else yield violationOf(object(value), files.path, object(value)['description']);
        },
        finish: () => files.finish(),
      };
    },
  },
};

export const pmdXml: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: '`pmd check -f xml`',
  reader: {
    xml: () => {
      const files = new PmdFiles();
      return {
        roots: ['pmd'],
        starts: ['pmd', 'file'],
        elements: ['violation', 'error'],
        *take({ name, attributes, text: message }): Iterable<ReportItem> {
          if (name === 'pmd') yield toolItem('PMD', attributes['version']);
          else if (name === 'file') files.path = attributes['name'] ?? '';
          else if (name === 'error') files.fail(attributes['filename']);
          else yield violationOf(attributes, files.path, message);
        },
        finish: () => files.finish(),
      };
    },
  },
};
