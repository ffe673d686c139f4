import { usableId } from '../../identity/tool-ids.ts';
import { type LooseObject, object, objects, text, withoutUndefined } from '../../json/loose-values.ts';
import type { ReportedDecision, ReportItem } from '../../report-items.ts';
import { ecosystemOf } from '../ecosystems.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, componentResult, firstWord, inside, secretResult, word } from '../result-items.ts';
import { confidenceOf, severityOf } from '../taxonomy.ts';

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

/** A reply of the API is one page of several, so what is missing from it may be on another one. */
const ONE_PAGE: ReportItem = { kind: 'coverage', isIncomplete: true };

export const semgrepFindings: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: 'Semgrep AppSec Platform, `GET /api/v1/deployments/{slug}/findings` and `GET …/secrets`',
  reads:
    'open findings of code, dependencies and secrets with rule, place, triage state, reason and comment; fixed ones ' +
    'are not findings',
  results: ['code', 'component', 'secret', 'decision'],
  ownId: '`match_based_id`',
  closes: 'nothing, because a reply is one page of several',
  signs: [
    ['findings[].rule_name', 'findings[].match_based_id'],
    ['findings[].line_of_code_url', 'findings[].triage_state'],
    ['findings[].findingPath', 'findings[].validationState'],
  ],
  reader: {
    json: () => ({
      required: ['findings$'],
      paths: ['findings[]'],
      *take({ value }): Iterable<ReportItem> {
        const found = object(value);
        const status = nameOf(found['status']).replace('finding_status_', '');
        if (CLOSED.has(status) || CLOSED.has(nameOf(found['state']))) return;
        yield* withDecision(itemOf(found), {
          state: firstWord(found['triage_state'], status),
          reason: found['triage_reason'],
          note: found['triage_comment'],
        });
      },
      finish: () => [ONE_PAGE],
    }),
  },
};

function itemOf(found: LooseObject): ReportItem {
  if (found['findingPath'] !== undefined) return secretOf(found);
  const item = found['found_dependency'] === undefined ? codeOf(found) : dependencyOf(found);
  if (item.kind !== 'finding') return item;
  const ids = { matchBasedId: usableId(text(found['match_based_id'])), syntacticId: text(found['syntactic_id']) };
  return { ...item, ...withoutUndefined(ids) };
}

function factsOf(found: LooseObject) {
  const place = object(found['location']);
  return {
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
  };
}

const codeOf = (found: LooseObject): ReportItem =>
  codeResult({
    ...factsOf(found),
    fingerprints: { 'matchBasedId/v1': found['match_based_id'] },
    isIgnoredInCode: nameOf(found['state']) === 'muted',
  });

const TRANSITIVITIES = ['direct', 'transitive'] as const;
const REACHABILITIES = ['reachable', 'always reachable', 'conditionally reachable', 'unreachable'] as const;

function dependencyOf(found: LooseObject): ReportItem {
  const dependency = object(found['found_dependency']);
  const facts = factsOf(found);
  const item = componentResult({
    ...facts,
    advisories: [found['vulnerability_identifier'], facts.rule],
    package: dependency['package'],
    version: dependency['version'],
    ecosystem: ecosystemOf(dependency['ecosystem']),
    transitivity: TRANSITIVITIES.find((one) => one === dependency['transitivity']) ?? 'unknown',
    reachability: REACHABILITIES.find((one) => one === found['reachability']),
    fixVersions: objects(found['fix_recommendations']).map(({ version }) => version),
  });
  return item.kind === 'finding' && facts.rule !== undefined ? { ...item, rule: facts.rule } : item;
}

const VALIDATIONS = ['confirmed_valid', 'confirmed_invalid', 'validation_error', 'no_validator'] as const;

/** The interface gives neither the value nor the rule of a secret, only its kind. */
function secretOf(found: LooseObject): ReportItem {
  const [, file = '', line] = /^(.*?)(?::(\d+))?$/s.exec(text(found['findingPath']) ?? '') ?? [];
  const validation = nameOf(found['validationState']).replace('validation_state_', '');
  const item = secretResult({
    rule: `semgrep.secrets.${nameOf(found['type']) || 'unknown'}`,
    title: found['type'],
    type: found['type'],
    file,
    line,
    severity: severityOf(nameOf(found['severity']).replace('severity_', '')),
    validation: VALIDATIONS.find((one) => one === validation),
  });
  const id = word(found['id']);
  return item.kind === 'finding' && id !== undefined ? { ...item, matchBasedId: `semgrep-secret-${id}` } : item;
}

/** `https://host/org/repo/blob/commit/src/a.ts#L12` names the file and the line. */
const LINE_URL = /\/(?:-\/)?(?:blob|src)\/[^/]+\/([^#?]+)(?:#(?:L|lines-)(\d+))?/;

export const semgrepCsv: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: 'Semgrep AppSec Platform, the CSV export of findings',
  reads:
    'open findings of code, dependencies and secrets with rule, place by their address, status, confidence, ' +
    'category, reason and comment',
  results: ['code', 'component', 'secret', 'decision'],
  closes: 'nothing, because an export has the most recent 10,000 findings of all projects',
  reader: {
    csv: () => ({
      required: ['Rule Name', 'Severity', 'Status', 'Line Of Code Url'],
      *take(row): Iterable<ReportItem> {
        if (CLOSED.has(nameOf(row['Status']))) return;
        yield* withDecision(rowItemOf(row), {
          state: row['Status'],
          reason: row['Triage Reason'],
          note: row['Triage Comment'],
        });
      },
      finish: () => [ONE_PAGE],
    }),
  },
};

function rowItemOf(row: Record<string, string>): ReportItem {
  const [, path = '', line] = LINE_URL.exec(row['Line Of Code Url'] ?? '') ?? [];
  const facts = {
    rule: row['Rule Name'],
    file: decoded(path),
    line,
    message: row['Rule Description'],
    severity: severityOf(row['Severity']),
    confidence: confidenceOf(row['Confidence']),
    category: row['Category'],
  };
  if (/secret/i.test(row['Product'] ?? '')) return secretResult(facts);
  const advisories = [row['Cve'], row['Rule Name']];
  return word(row['Dependency']) === undefined
    ? codeResult(facts)
    : componentResult({ ...facts, advisories, package: row['Dependency'], version: row['Version'] });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
