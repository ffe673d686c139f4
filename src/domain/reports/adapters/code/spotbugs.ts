import type { ReportItem } from '../../report-items.ts';
import { childNamed, childText, type XmlElement } from '../../xml/xml-element-reader.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, toolItem } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

export const spotbugs: ReportFormatDefinition = {
  tool: 'SpotBugs',
  writtenBy: '`spotbugs -xml:withMessages`, also with FindSecBugs and fb-contrib',
  version: '4.8',
  fixture: 'written',
  reads: 'bug instances with class, method and source line',
  results: ['code'],
  ownId: '`instanceHash`',
  severities: { '1': 'high', '2': 'medium', '3': 'low', '4': 'info', '5': 'info' },
  reader: {
    xml: () => ({
      roots: ['BugCollection'],
      starts: ['BugCollection'],
      elements: ['BugInstance'],
      *take(element): Iterable<ReportItem> {
        if (element.name === 'BugCollection') yield toolItem('SpotBugs', element.attributes['version']);
        else yield bugOf(element);
      },
    }),
  },
};

function bugOf(bug: XmlElement): ReportItem {
  const { type, priority, category, cweid, instanceHash } = bug.attributes;
  const method = childNamed(bug, 'Method');
  // The line of the bug itself; else the one of its method or class.
  const source = [bug, method, childNamed(bug, 'Class')].flatMap((at) => childNamed(at, 'SourceLine') ?? [])[0];
  const { relSourcepath, sourcepath, start, end } = source?.attributes ?? {};
  const scope = [childNamed(bug, 'Class')?.attributes['classname'], method?.attributes['name']];
  return codeResult({
    rule: type,
    file: relSourcepath || sourcepath,
    line: start,
    endLine: end,
    title: childText(bug, 'ShortMessage'),
    message: childText(bug, 'LongMessage'),
    severity: severityIn(spotbugs.severities ?? {}, priority),
    category: category?.toLowerCase(),
    cwes: cweid,
    scope: scope.filter(Boolean).join('.'),
    fingerprints: { 'spotbugs/instanceHash': instanceHash },
  });
}
