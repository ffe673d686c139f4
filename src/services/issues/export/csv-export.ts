import type { WorkflowIssueWithProjects } from '../all-findings/workflow-issues.ts';
import type { Issue } from '../list/shape.ts';
import { EXPORT_COLUMNS, type ExportColumn } from './shape.ts';
import { workflowCell } from './workflow-export.ts';

type Cell = string | number | undefined;

const CELLS: Record<ExportColumn, (issue: Issue) => Cell> = {
  id: ({ id }) => id,
  type: ({ issueType }) => issueType.replace('ISSUE_TYPE_', '').toLowerCase(),
  state: ({ aggregateState }) => aggregateState.replace('AGGREGATE_ISSUE_STATE_', '').toLowerCase(),
  severity: ({ exactSeverity }) => exactSeverity.replace('SEVERITY_', '').toLowerCase(),
  confidence: ({ confidence }) => confidence.replace('CONFIDENCE_', '').toLowerCase(),
  rule: ({ rulePath }) => rulePath,
  title: ({ ruleDisplayName }) => ruleDisplayName,
  message: ({ message }) => message,
  repository: ({ repository }) => repository.name,
  ref: ({ ref }) => ref,
  path: ({ filePath }) => filePath,
  line: ({ line }) => line,
  url: ({ lineOfCodeUrl }) => lineOfCodeUrl,
  created_at: ({ createdAt }) => createdAt.toISOString(),
  relevant_since: ({ relevantSince }) => relevantSince.toISOString(),
  triage_state: ({ triageState }) => triageState.replace('FINDING_TRIAGE_STATE_', '').toLowerCase(),
  triage_reason: ({ triageReason }) => triageReason?.replace('FINDING_TRIAGE_REASON_', '').toLowerCase(),
  note: ({ note }) => note,
  assignee: ({ assignee }) => assignee?.email,
  advisory: ({ scaAttributes }) => scaAttributes?.vulnDatabaseIdentifier,
  package: ({ scaAttributes }) => scaAttributes?.foundDependency.package,
  version: ({ scaAttributes }) => scaAttributes?.foundDependency.version,
  secret_type: ({ secretsAttributes }) => secretsAttributes?.secretType,
};

/** Escapes a cell, so that spreadsheets do not evaluate it as a formula. */
function escapeCell(value: Cell): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const rowOf = (cells: readonly Cell[]) => `${cells.map(escapeCell).join(',')}\r\n`;

/** Writes the header and the rows of a CSV file. */
export function csvWriterFor(columns: readonly ExportColumn[] = EXPORT_COLUMNS) {
  return {
    header: rowOf(columns),
    row: (issue: Issue) => rowOf(columns.map((column) => CELLS[column](issue))),
    workflowRow: (issue: WorkflowIssueWithProjects) => rowOf(columns.map((column) => workflowCell(column, issue))),
  };
}
