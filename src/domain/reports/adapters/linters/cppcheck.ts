import { normalisePath } from '../../identity/report-paths.ts';
import { fingerprintsOf } from '../../identity/tool-ids.ts';
import { position, withoutUndefined } from '../../json/loose-values.ts';
import type { ReportItem, TraceStep } from '../../report-items.ts';
import { childrenNamed, type XmlElement } from '../../xml/xml-element-reader.ts';
import type { XmlAdapter } from '../adapter.ts';
import { cwesIn, severityOf } from '../taxonomy.ts';

/** Errors that mean that a file could not be checked. */
const FAILURES = /^(syntaxError|internalError|internalAstError|cppcheckError|preprocessorErrorDirective)$/;

/** `cppcheck --xml`. */
export function cppcheck(): XmlAdapter {
  const pathsFailed: string[] = [];
  return {
    roots: ['results'],
    starts: ['cppcheck'],
    elements: ['error'],
    *take(element): Iterable<ReportItem> {
      if (element.name === 'cppcheck') {
        const version = element.attributes['version'] || undefined;
        yield { kind: 'tool', name: 'Cppcheck', ...withoutUndefined({ version }) };
      } else if (FAILURES.test(element.attributes['id'] ?? '')) {
        const file = element.attributes['file0'] ?? childrenNamed(element, 'location')[0]?.attributes['file'];
        if (file) pathsFailed.push(normalisePath(file));
      } else yield* findingOf(element);
    },
    *finish(): Iterable<ReportItem> {
      if (pathsFailed.length > 0) yield { kind: 'coverage', pathsFailed };
    },
  };
}

function* findingOf(element: XmlElement): Iterable<ReportItem> {
  const { id, severity, msg, verbose, cwe, inconclusive, hash } = element.attributes;
  if (!id) return;
  const steps = childrenNamed(element, 'location').map(({ attributes }): TraceStep => {
    const line = position(attributes['line']);
    return {
      path: normalisePath(attributes['file'] ?? ''),
      region: { line, column: position(attributes['column']), endLine: line, endColumn: 0 },
      ...(attributes['info'] ? { message: attributes['info'] } : {}),
    };
  });
  // The first location is the problem itself; the others lead to it.
  const [location] = steps;
  yield {
    kind: 'finding',
    ...withoutUndefined({
      product: 'sast' as const,
      rule: id,
      path: location?.path ?? '',
      region: location?.region ?? { line: 0, column: 0, endLine: 0, endColumn: 0 },
      message: verbose || msg || id,
      title: msg || undefined,
      severity: severityOf(severity),
      confidence: inconclusive === 'true' ? ('low' as const) : undefined,
      cwes: cwe ? cwesIn([`CWE-${cwe}`]) : undefined,
      fingerprints: fingerprintsOf({ 'cppcheck/hash': hash }),
      trace: steps.length > 1 ? [steps.toReversed()] : undefined,
    }),
  };
}
