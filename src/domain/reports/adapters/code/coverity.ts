import { normalisePath } from '../../identity/report-paths.ts';
import { type LooseObject, object, objects, text } from '../../json/loose-values.ts';
import type { ReportedDecision, ReportItem, TraceStep } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, firstWord, inside, regionOf, word } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

export const coverity: ReportFormatDefinition = {
  tool: 'Coverity',
  writtenBy: '`cov-format-errors --json-output-v7` and later',
  version: '2024.12',
  fixture: 'written',
  reads: 'issues at their main event, all events as a flow, what the server knows of their triage',
  results: ['code', 'decision'],
  ownId: '`mergeKey`',
  signs: [
    ['issues[].mergeKey', 'issues[].checkerName'],
    [['type', /^Coverity issues$/], 'issues[]'],
  ],
  reader: {
    json: () => ({
      required: ['issues$'],
      paths: ['issues[]'],
      *take({ value }): Iterable<ReportItem> {
        const issue = object(value);
        yield issueOf(issue);
        const decision = decisionOf(issue);
        if (word(issue['checkerName']) !== undefined && decision) yield decision;
      },
    }),
  },
};

const CLASSES: Record<string, ReportedDecision['reason']> = {
  'False Positive': 'false_positive',
  Intentional: 'acceptable_risk',
};

/** With `--preview-report` or a server, issues have the state of their triage there. */
function decisionOf(issue: LooseObject): ReportItem | undefined {
  const triage = object(inside(issue, 'stateOnServer', 'triage'));
  const reason = CLASSES[text(triage['classification']) ?? ''];
  if (reason === undefined && triage['action'] !== 'Ignore') return undefined;
  return { kind: 'decision', source: 'sarif', state: 'ignored', ...(reason && { reason }) };
}

const fileOf = (event: LooseObject) => text(event['strippedFilePathname']) ?? text(event['filePathname']) ?? '';

function issueOf(issue: LooseObject): ReportItem {
  const events = objects(issue['events']);
  const main = events.find((event) => event['main'] === true);
  const properties = object(issue['checkerProperties']);
  const steps = events.map((event): TraceStep => {
    const message = text(event['eventDescription']);
    const region = regionOf({ line: event['lineNumber'] });
    return { path: normalisePath(fileOf(event)), region, ...(message && { message }) };
  });
  return codeResult({
    rule: issue['checkerName'],
    file: firstWord(issue['strippedMainEventFilePathname'], issue['mainEventFilePathname']),
    line: issue['mainEventLineNumber'],
    column: issue['mainEventColumnNumber'],
    title: properties['subcategoryShortDescription'],
    message: firstWord(main?.['eventDescription'], properties['subcategoryLongDescription']),
    severity: severityOf(properties['impact']),
    category: properties['category'],
    cwes: inside(properties, 'cweCategory'),
    scope: issue['functionDisplayName'],
    trace: steps.length > 1 ? [steps] : undefined,
    fingerprints: { 'coverity/mergeKey': issue['mergeKey'] },
  });
}
