import type { Decision } from '../model/decision.ts';
import { isWorkflowFindingId } from '../model/finding-id.ts';
import type { FindingRow } from '../model/finding-row.ts';

/** What a change touches: shown before it is made. */
export interface BulkPreview {
  count: number;
  /** How many of them workflows found. */
  workflows: number;
  /** How many are in none of the projects that are named. */
  elsewhere: number;
  projects: { name: string; count: number }[];
  worst: { id: string; title: string; severity: string }[];
}

/** What somebody is about to decide, and about what. */
export interface BulkDecision {
  decision: Decision;
  /** Undefined where all that match the filter are meant. */
  ids?: readonly string[];
}

const FEW_PROJECTS = 5;
const FEW_WORST = 3;

const RANKS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'];
const severityRank = (severity: string) => RANKS.indexOf(severity.replace(/^.*SEVERITY_/, ''));

/** The preview of lines that are on the page already. */
export function bulkPreviewOf(rows: readonly FindingRow[]): BulkPreview {
  const projects = new Map<string, number>();
  for (const { project } of rows) projects.set(project, (projects.get(project) ?? 0) + 1);
  const worst = rows.toSorted((one, other) => severityRank(one.severity) - severityRank(other.severity));
  const most = [...projects]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count)
    .slice(0, FEW_PROJECTS);
  return {
    count: rows.length,
    workflows: rows.filter(({ id }) => isWorkflowFindingId(id)).length,
    elsewhere: rows.length - most.reduce((sum, { count }) => sum + count, 0),
    projects: most,
    worst: worst.slice(0, FEW_WORST).map(({ id, title, severity }) => ({ id, title, severity })),
  };
}
