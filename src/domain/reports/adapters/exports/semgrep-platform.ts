import { type LooseObject, object, text } from '../../json/loose-values.ts';
import type { ReportedDecision, ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, firstWord, inside, secretResult, word } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

const FACTS = { tool: 'Semgrep', version: '2026', fixture: 'written' } as const;
const REASONS: Record<string, NonNullable<ReportedDecision['reason']>> = {
  acceptable_risk: 'acceptable_risk',
  false_positive: 'false_positive',
  no_time: 'no_time',
};
const STATES: Record<string, ReportedDecision['state']> = {
  ignored: 'ignored',
  muted: 'ignored',
  reviewing: 'reviewing',
  fixing: 'fixing',
};
const CLOSED = new Set(['fixed', 'removed']);

const nameOf = (value: unknown) => (word(value) ?? '').toLowerCase().replaceAll(' ', '_');

function* withDecision(
  item: ReportItem,
  facts: { state: unknown; reason: unknown; note: unknown },
): Iterable<ReportItem> {
  yield item;
  const state = STATES[nameOf(facts.state)];
  if (item.kind !== 'finding' || state === undefined) return;
  const [reason, note] = [REASONS[nameOf(facts.reason)], word(facts.note)];
  yield { kind: 'decision', source: 'sarif', state, ...(reason && { reason }), ...(note && { note }) };
}

export const semgrepFindings: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: 'Semgrep AppSec Platform, `GET /api/v1/deployments/{slug}/findings`',
  reads: 'open findings of code with rule, place, triage state, reason and comment; fixed ones are not findings',
  results: ['code', 'decision'],
  ownId: '`match_based_id`',
  signs: [
    ['findings[].rule_name', 'findings[].match_based_id'],
    ['findings[].line_of_code_url', 'findings[].triage_state'],
  ],
  reader: {
    json: () => ({
      required: ['findings$'],
      paths: ['findings[]'],
      *take({ value }): Iterable<ReportItem> {
        const found = object(value);
        if (CLOSED.has(nameOf(found['status'])) || CLOSED.has(nameOf(found['state']))) return;
        yield* withDecision(findingOf(found), {
          state: firstWord(found['triage_state'], found['status']),
          reason: found['triage_reason'],
          note: found['triage_comment'],
        });
      },
    }),
  },
};

function findingOf(found: LooseObject): ReportItem {
  const place = object(found['location']);
  return codeResult({
    rule: firstWord(found['rule_name'], inside(found, 'rule', 'name')),
    file: place['file_path'],
    line: place['line'],
    column: place['column'],
    endLine: place['end_line'],
    endColumn: place['end_column'],
    message: firstWord(found['rule_message'], inside(found, 'rule', 'message')),
    severity: severityOf(found['severity']),
    category: firstWord(inside(found, 'rule', 'category'), [found['categories']].flat()[0]),
    cwes: inside(found, 'rule', 'cwe_names'),
    owasps: inside(found, 'rule', 'owasp_names'),
    fingerprints: { 'matchBasedId/v1': found['match_based_id'] },
  });
}

/** `https://host/org/repo/blob/commit/src/a.ts#L12` names the file and the line. */
const LINE_URL = /\/(?:-\/)?(?:blob|src)\/[^/]+\/([^#?]+)(?:#(?:L|lines-)(\d+))?/;

export const semgrepCsv: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: 'Semgrep AppSec Platform, the CSV export of findings',
  reads: 'open findings of code and secrets with rule, place by their address, status, reason and comment',
  results: ['code', 'secret', 'decision'],
  reader: {
    csv: () => ({
      required: ['Rule Name', 'Severity', 'Status', 'Line Of Code Url'],
      *take(row): Iterable<ReportItem> {
        if (CLOSED.has(nameOf(row['Status']))) return;
        const [, path = '', line] = LINE_URL.exec(row['Line Of Code Url'] ?? '') ?? [];
        const facts = {
          rule: row['Rule Name'],
          file: decoded(path),
          line,
          message: row['Rule Description'],
          severity: severityOf(row['Severity']),
        };
        const isSecret = /secret/i.test(text(row['Product']) ?? '');
        yield* withDecision(isSecret ? secretResult(facts) : codeResult(facts), {
          state: row['Status'],
          reason: row['Triage Reason'],
          note: row['Triage Comment'],
        });
      },
    }),
  },
};

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
