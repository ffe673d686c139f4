import { object, objects, texts } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { componentResult, word } from '../result-items.ts';

const FILE = 'requirements.txt';

export const pipAudit: ReportFormatDefinition = {
  tool: 'pip-audit',
  writtenBy: '`pip-audit -f json`',
  version: '2.9',
  fixture: 'written',
  reads: 'all dependencies, and their vulnerabilities with fixes; the report names no file and no severity',
  results: ['component'],
  closes: 'what is missing from the report, unless a dependency was skipped',
  severities: {},
  signs: [
    ['dependencies[].name', 'dependencies[].vulns'],
    ['dependencies[].skip_reason'],
    ['dependencies[]', 'fixes[]'],
  ],
  reader: {
    json: () => {
      let skipped = 0;
      return {
        required: ['dependencies$'],
        paths: ['dependencies[]'],
        *take({ value }): Iterable<ReportItem> {
          const found = object(value);
          const name = word(found['name']);
          const version = word(found['version']) ?? '';
          if (found['skip_reason'] !== undefined) skipped++;
          if (name === undefined || found['skip_reason'] !== undefined) return;
          const library = { package: name, version, ecosystem: 'pypi', transitivity: 'unknown' as const };
          yield { kind: 'dependency', ...library, path: FILE };
          for (const flaw of objects(found['vulns'])) {
            yield componentResult({
              ...library,
              advisories: [flaw['id'], ...texts(flaw['aliases'])],
              file: FILE,
              message: flaw['description'],
              fixVersions: flaw['fix_versions'],
            });
          }
        },
        *finish(): Iterable<ReportItem> {
          if (skipped === 0) return;
          yield { kind: 'warning', message: `pip-audit skipped ${skipped} dependencies; no findings are closed.` };
          yield { kind: 'coverage', isIncomplete: true };
        },
      };
    },
  },
};
