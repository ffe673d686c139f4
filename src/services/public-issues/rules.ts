import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { WorkflowIssue } from '#domain/workflow-issues/shape.ts';
import type { ReportedWorkflowIssue } from './contract.ts';

/** What a report sets on an issue: everything except triage. */
export interface WorkflowIssueContent {
  title: string;
  description: string;
  reasoning: string;
  severity: WorkflowIssue['severity'];
  detectionState: WorkflowIssue['detectionState'];
  actions: string[];
  workflowIds: string[];
  workflowJobIds: string[];
  triggerSources: string[];
  projectIds: string[];
  refIds: string[];
  filePaths: string[];
  dependencyPaths: string[];
  directDependencies: string[];
  domains: string[];
  cwes: string[];
  owasps: string[];
}

export interface WorkflowReport {
  workflowId: string;
  workflowJobId?: string | undefined;
  triggerSource?: string | undefined;
  issues: z.output<typeof ReportedWorkflowIssue>[];
}

export interface ReportedEntry {
  identity: string;
  entry: z.output<typeof ReportedWorkflowIssue>;
  run: Omit<WorkflowReport, 'issues'>;
}

/** Workflows run for years: only the latest values are kept. */
export const MAX_COLLECTED_VALUES = 100;

const EMPTY_CONTENT: WorkflowIssueContent = {
  title: '',
  description: '',
  reasoning: '',
  severity: 'SEVERITY_INFO',
  detectionState: 'DETECTION_STATE_DETECTED',
  actions: [],
  workflowIds: [],
  workflowJobIds: [],
  triggerSources: [],
  projectIds: [],
  refIds: [],
  filePaths: [],
  dependencyPaths: [],
  directDependencies: [],
  domains: [],
  cwes: [],
  owasps: [],
};

const distinct = (items: readonly string[]): string[] => [...new Set(items)];

/** Appends a value; drops the oldest beyond the limit. */
function collect(items: string[], item: string | undefined): string[] {
  if (item === undefined || item === '' || items.includes(item)) return items;
  return [...items, item].slice(-MAX_COLLECTED_VALUES);
}

/** Applies one reported entry: run values are collected, other members are replaced if given. */
export function mergeEntry(before: WorkflowIssueContent, { entry, run }: ReportedEntry): WorkflowIssueContent {
  const list = (reported: string[] | undefined, current: string[]) =>
    reported === undefined ? current : distinct(reported);
  const { projectId } = entry;
  return {
    title: entry.title.trim(),
    description: entry.description ?? before.description,
    reasoning: entry.reasoning ?? before.reasoning,
    severity: entry.severity ?? before.severity,
    detectionState: entry.detectionState ?? 'DETECTION_STATE_DETECTED',
    actions: list(entry.actions, before.actions),
    workflowIds: collect(before.workflowIds, run.workflowId.trim()),
    workflowJobIds: collect(before.workflowJobIds, run.workflowJobId),
    triggerSources: collect(before.triggerSources, run.triggerSource),
    projectIds: projectId === undefined ? before.projectIds : distinct([...before.projectIds, projectId]),
    refIds: collect(before.refIds, entry.refId),
    filePaths: list(entry.filePaths, before.filePaths),
    dependencyPaths: list(entry.dependencyPaths, before.dependencyPaths),
    directDependencies: list(entry.directDependencies, before.directDependencies),
    domains: list(entry.domains, before.domains),
    cwes: list(entry.cwes, before.cwes),
    owasps: list(entry.owasps, before.owasps),
  };
}

/** The entries of a report by identity, in order of first appearance. */
export function entriesByIdentity({ issues, ...run }: WorkflowReport): Map<string, ReportedEntry[]> {
  const entries = new Map<string, ReportedEntry[]>();
  for (const entry of issues) {
    const identity = entry.identity.trim();
    entries.set(identity, [...(entries.get(identity) ?? []), { identity, entry, run }]);
  }
  return entries;
}

/** Applies all entries of one identity. */
export const mergeEntries = (
  before: WorkflowIssueContent | undefined,
  entries: readonly ReportedEntry[],
): WorkflowIssueContent => entries.reduce(mergeEntry, before ?? EMPTY_CONTENT);

/** The members that changed and are recorded in the activity. */
export function changedMembers(
  before: WorkflowIssueContent,
  after: WorkflowIssueContent,
): (keyof WorkflowIssueContent)[] {
  const names = Object.keys(EMPTY_CONTENT) as (keyof WorkflowIssueContent)[];
  return names.filter((name) => name !== 'workflowJobIds' && !isDeepStrictEqual(before[name], after[name]));
}

/** True if the workflow detected the issue, rather than its absence. */
export const isDetected = ({ detectionState }: Pick<WorkflowIssueContent, 'detectionState'>): boolean =>
  detectionState === 'DETECTION_STATE_DETECTED' || detectionState === 'DETECTION_STATE_VERIFIED_PRESENT';

const MAX_KEY_LENGTH = 256;

/** The sort key for file paths: the first path, truncated to fit into an index. */
export function filePathSortKey(filePaths: readonly string[]): string {
  const [first = ''] = [...filePaths].sort();
  return [...first].slice(0, MAX_KEY_LENGTH).join('');
}
