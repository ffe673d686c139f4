import { type LooseObject, object, texts } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { componentResult, inside, word } from '../result-items.ts';

const FLAWS = 'vulnerabilities.list[]';

export const cargoAudit: ReportFormatDefinition = {
  tool: 'cargo-audit',
  writtenBy: '`cargo audit --json`',
  version: '0.21',
  fixture: 'written',
  reads: 'vulnerabilities, and warnings about unmaintained, unsound and yanked crates as low',
  results: ['component'],
  severities: { vulnerability: 'high', unsound: 'medium', unmaintained: 'low', yanked: 'low', notice: 'info' },
  signs: [
    ['vulnerabilities.list[]', 'lockfile'],
    ['database', 'lockfile', 'vulnerabilities.found'],
  ],
  reader: {
    json: () => ({
      required: ['vulnerabilities.list$'],
      paths: [FLAWS, 'warnings.*[]'],
      *take({ path, value, key = '' }): Iterable<ReportItem> {
        yield crateOf(object(value), path === FLAWS ? 'vulnerability' : key);
      },
    }),
  },
};

function crateOf(entry: LooseObject, kind: string): ReportItem {
  const advisory = object(entry['advisory']);
  const name = word(inside(entry, 'package', 'name'));
  return componentResult({
    // A yanked crate has no advisory.
    advisories: [advisory['id'] ?? `${kind}:${name}`, ...texts(advisory['aliases'])],
    package: name,
    version: inside(entry, 'package', 'version'),
    ecosystem: 'cargo',
    file: 'Cargo.lock',
    title: advisory['title'] ?? `${name} is ${kind}`,
    message: advisory['description'],
    severity: cargoAudit.severities?.[kind],
    category: kind,
    references: [advisory['url'], ...texts(advisory['references'])],
    fixVersions: texts(inside(entry, 'versions', 'patched')).map((range) => range.replace(/^[>=^~\s]+/, '')),
  });
}
