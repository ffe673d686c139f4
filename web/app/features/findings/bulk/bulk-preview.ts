import type { Decision } from '../model/decision.ts';
import { isWorkflowFindingId } from '../model/finding-id.ts';
import type { FindingRow } from '../model/finding-row.ts';

/** What a bulk decision would change, shown before it is confirmed. */
export interface BulkPreview {
  count: number;
  /** How many of them are workflow issues. */
  workflows: number;
  /** How many are in projects that are not listed. */
  elsewhere: number;
  projects: { name: string; count: number }[];
  worst: { id: string; title: string; severity: string }[];
}

/** A decision about many findings. */
export interface BulkDecision {
  decision: Decision;
  /** Undefined for all findings that match the filter. */
  ids?: readonly string[];
}

const MAX_PROJECTS = 5;
const MAX_WORST = 3;

const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'];
const severityRank = (severity: string) => SEVERITIES.indexOf(severity.replace(/^.*SEVERITY_/, ''));

/** The preview for rows that are already loaded. */
export function bulkPreviewOf(rows: readonly FindingRow[]): BulkPreview {
  const projects = new Map<string, number>();
  for (const { project } of rows) projects.set(project, (projects.get(project) ?? 0) + 1);
  const worst = rows.toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity));
  const largest = [...projects]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_PROJECTS);
  return {
    count: rows.length,
    workflows: rows.filter(({ id }) => isWorkflowFindingId(id)).length,
    elsewhere: rows.length - largest.reduce((sum, { count }) => sum + count, 0),
    projects: largest,
    worst: worst.slice(0, MAX_WORST).map(({ id, title, severity }) => ({ id, title, severity })),
  };
}
