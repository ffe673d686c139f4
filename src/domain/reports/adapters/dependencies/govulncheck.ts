import { type LooseObject, object, objects, text, texts } from '../../json/loose-values.ts';
import type { ReportedScaMatch, ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { componentResult, firstWord, inside, toolItem } from '../result-items.ts';

interface FoundModule {
  osv: string;
  module: string;
  version: unknown;
  fixed: unknown;
  reachability: NonNullable<ReportedScaMatch['reachability']>;
}

export const govulncheck: ReportFormatDefinition = {
  tool: 'govulncheck',
  writtenBy: '`govulncheck -format json`',
  version: '1.1',
  fixture: 'written',
  reads: 'vulnerable modules; a call of a vulnerable function makes them reachable',
  results: ['component'],
  severities: {},
  signs: [
    ['config.protocol_version', 'config.scanner_name'],
    ['finding.osv', 'finding.trace[]'],
  ],
  reader: {
    jsonLines: () => {
      const advisories = new Map<string, LooseObject>();
      const found = new Map<string, FoundModule>();
      return {
        members: ['config', 'osv', 'finding'],
        *take(message): Iterable<ReportItem> {
          const osv = object(message['osv']);
          const id = text(osv['id']);
          if (id !== undefined) advisories.set(id, osv);
          if (message['finding'] !== undefined) addModule(found, object(message['finding']));
          const version = inside(message, 'config', 'scanner_version');
          if (version !== undefined) yield toolItem('govulncheck', version);
        },
        *finish(): Iterable<ReportItem> {
          for (const module of found.values()) yield moduleOf(module, advisories.get(module.osv) ?? {});
        },
      };
    },
  },
};

/** A module is reported once for each way to its flaw; the strongest one counts. */
function addModule(found: Map<string, FoundModule>, finding: LooseObject): void {
  const [last] = objects(finding['trace']);
  const [osv, module] = [text(finding['osv']), text(last?.['module'])];
  if (osv === undefined || module === undefined) return;
  const isCalled = text(last?.['function']) !== undefined;
  const key = `${osv} ${module}`;
  const known = found.get(key);
  if (known) known.reachability = isCalled ? 'reachable' : known.reachability;
  else
    found.set(key, {
      osv,
      module,
      version: last?.['version'],
      fixed: finding['fixed_version'],
      reachability: isCalled ? 'reachable' : 'unreachable',
    });
}

const moduleOf = ({ osv, module, version, fixed, reachability }: FoundModule, advisory: LooseObject): ReportItem =>
  componentResult({
    advisories: [osv, ...texts(advisory['aliases'])],
    package: module,
    version,
    ecosystem: 'gomod',
    file: 'go.mod',
    title: advisory['summary'],
    message: firstWord(advisory['details'], advisory['summary']),
    references: inside(advisory, 'database_specific', 'url'),
    reachability,
    fixVersions: fixed,
  });
