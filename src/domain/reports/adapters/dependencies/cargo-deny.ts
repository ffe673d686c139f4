import { object, objects, texts } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, componentResult, inside, word } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

export const cargoDeny: ReportFormatDefinition = {
  tool: 'cargo-deny',
  writtenBy: '`cargo deny --format json check`',
  version: '0.16',
  fixture: 'written',
  reads: 'advisories as vulnerable crates; bans, licenses and sources as findings of `Cargo.toml`',
  results: ['component', 'code'],
  severities: { error: 'high', warning: 'medium', note: 'low', help: 'info' },
  signs: [[['type', /^diagnostic$/], 'fields.code', 'fields.severity']],
  reader: {
    jsonLines: () => ({
      members: ['type'],
      *take(line): Iterable<ReportItem> {
        if (line['type'] !== 'diagnostic') return;
        const fields = object(line['fields']);
        const advisory = object(fields['advisory']);
        const crate = inside(objects(fields['graphs'])[0], 'Krate') ?? objects(fields['graphs'])[0];
        const name = word(inside(crate, 'name'));
        const severity = severityIn(cargoDeny.severities ?? {}, fields['severity']);
        const label = objects(fields['labels'])[0];
        if (word(advisory['id']) !== undefined)
          yield componentResult({
            advisories: [advisory['id'], ...texts(advisory['aliases'])],
            package: advisory['package'] ?? name,
            version: inside(crate, 'version'),
            ecosystem: 'cargo',
            file: 'Cargo.lock',
            title: advisory['title'] ?? fields['message'],
            message: advisory['description'],
            severity,
            references: advisory['url'],
          });
        else
          yield codeResult({
            rule: fields['code'],
            file: 'Cargo.toml',
            line: label?.['line'],
            column: label?.['column'],
            message: fields['message'],
            severity,
            category: 'dependencies',
            code: label?.['span'],
            scope: name,
          });
      },
    }),
  },
};
