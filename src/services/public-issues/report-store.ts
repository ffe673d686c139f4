import { z } from 'zod';
import { issueIsVisible } from '#domain/workflow-issues/issue-visibility.ts';
import { WORKFLOW_SEVERITIES, WorkflowIssue } from '#domain/workflow-issues/shape.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { filePathSortKey, isDetected, type WorkflowIssueContent } from './rules.ts';

/** Stores reported issues: inserts new identities, locks and updates existing ones. */

const toRow = (content: WorkflowIssueContent) => ({
  title: content.title,
  description: content.description,
  reasoning: content.reasoning,
  severity: WORKFLOW_SEVERITIES.indexOf(content.severity) + 1,
  detection_state: content.detectionState,
  is_detected: isDetected(content),
  is_in_project: content.projectIds.length > 0,
  file_path_key: filePathSortKey(content.filePaths),
  actions: content.actions,
  workflow_ids: content.workflowIds,
  workflow_job_ids: content.workflowJobIds,
  trigger_sources: content.triggerSources,
  ref_ids: content.refIds,
  file_paths: content.filePaths,
  dependency_paths: content.dependencyPaths,
  direct_dependencies: content.directDependencies,
  domains: content.domains,
  cwes: content.cwes,
  owasps: content.owasps,
});

const InsertedRow = z.object({ id: z.string(), identity: z.string() });

/** Inserts issues with new identities, ordered by identity so that concurrent reports do not deadlock. */
export async function insertNewIssues(
  tx: Tx,
  { deployment, now }: { deployment: string; now: Date },
  contents: ReadonlyMap<string, WorkflowIssueContent>,
): Promise<Map<string, string>> {
  const rows = [...contents].map(([identity, content]) => ({ identity, ...toRow(content) }));
  const inserted = await tx.all(InsertedRow)`
    insert into workflow_issue (deployment_id, identity, title, description, reasoning, severity, detection_state,
      created_at, last_detected_at, is_in_project, file_path_key, actions, workflow_ids, workflow_job_ids,
      trigger_sources, ref_ids, file_paths, dependency_paths, direct_dependencies, domains, cwes, owasps)
    select ${deployment}, identity, title, description, reasoning, severity, detection_state,
      ${now}, ${now}, is_in_project, file_path_key, actions, workflow_ids, workflow_job_ids,
      trigger_sources, ref_ids, file_paths, dependency_paths, direct_dependencies, domains, cwes, owasps
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (identity text, title text, description text,
      reasoning text, severity integer, detection_state text, is_in_project boolean, file_path_key text,
      actions text[], workflow_ids text[], workflow_job_ids text[], trigger_sources text[], ref_ids text[],
      file_paths text[], dependency_paths text[], direct_dependencies text[], domains text[], cwes text[],
      owasps text[])
    order by identity collate "C"
    on conflict (deployment_id, identity) do nothing
    returning id, identity`;
  return new Map(inserted.map(({ identity, id: issue }) => [identity, issue]));
}

const LockedWorkflowIssue = z.object({
  ...WorkflowIssue.pick({
    title: true,
    description: true,
    reasoning: true,
    severity: true,
    detectionState: true,
    actions: true,
    workflowIds: true,
    triggerSources: true,
    refIds: true,
    filePaths: true,
    dependencyPaths: true,
    directDependencies: true,
    domains: true,
    cwes: true,
    owasps: true,
  }).shape,
  id: id('Issue'),
  identity: z.string(),
  isVisible: z.boolean(),
  workflowJobIds: z.array(z.string()),
  projectIds: z.array(z.string()),
});
export type LockedWorkflowIssue = z.output<typeof LockedWorkflowIssue>;

/** Locks the issues with these identities until the end of the transaction. */
export const lockExistingIssues = (
  tx: Tx,
  caller: Caller,
  identities: readonly string[],
): Promise<LockedWorkflowIssue[]> =>
  tx.all(LockedWorkflowIssue)`
    select issue.id, issue.identity, ${issueIsVisible(caller)} as "isVisible", issue.title, issue.description,
      issue.reasoning, (${[...WORKFLOW_SEVERITIES]}::text[])[issue.severity] as severity,
      issue.detection_state as "detectionState", issue.actions, issue.workflow_ids as "workflowIds",
      issue.workflow_job_ids as "workflowJobIds", issue.trigger_sources as "triggerSources",
      array(select link.project_id::text from workflow_issue_project as link
            where link.deployment_id = issue.deployment_id and link.issue_id = issue.id
            order by link.project_id) as "projectIds",
      issue.ref_ids as "refIds", issue.file_paths as "filePaths", issue.dependency_paths as "dependencyPaths",
      issue.direct_dependencies as "directDependencies", issue.domains, issue.cwes, issue.owasps
    from workflow_issue as issue
    where issue.deployment_id = ${caller.deployment} and issue.identity = any(${identities}::text[])
    order by issue.identity collate "C"
    for no key update of issue`;

/** Updates locked issues. Never touches the triage columns. */
export async function updateLockedIssues(
  tx: Tx,
  { deployment, now }: { deployment: string; now: Date },
  contents: ReadonlyMap<string, WorkflowIssueContent>,
): Promise<void> {
  const rows = [...contents].map(([issue, content]) => ({ id: issue, ...toRow(content) }));
  await tx.run`
    update workflow_issue as issue
    set title = row.title, description = row.description, reasoning = row.reasoning, severity = row.severity,
        detection_state = row.detection_state,
        last_detected_at = case when row.is_detected then ${now} else issue.last_detected_at end,
        is_in_project = issue.is_in_project or row.is_in_project, file_path_key = row.file_path_key,
        actions = row.actions, workflow_ids = row.workflow_ids, workflow_job_ids = row.workflow_job_ids,
        trigger_sources = row.trigger_sources, ref_ids = row.ref_ids, file_paths = row.file_paths,
        dependency_paths = row.dependency_paths, direct_dependencies = row.direct_dependencies,
        domains = row.domains, cwes = row.cwes, owasps = row.owasps, version = issue.version + 1
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (id bigint, title text, description text,
      reasoning text, severity integer, detection_state text, is_detected boolean, is_in_project boolean,
      file_path_key text, actions text[], workflow_ids text[], workflow_job_ids text[], trigger_sources text[],
      ref_ids text[], file_paths text[], dependency_paths text[], direct_dependencies text[], domains text[],
      cwes text[], owasps text[])
    where issue.deployment_id = ${deployment} and issue.id = row.id`;
}

export async function linkProjects(
  tx: Tx,
  deployment: string,
  contents: ReadonlyMap<string, WorkflowIssueContent>,
): Promise<void> {
  const links = [...contents].flatMap(([issue, { projectIds }]) => projectIds.map((project) => ({ issue, project })));
  await tx.run`
    insert into workflow_issue_project (deployment_id, issue_id, project_id)
    select ${deployment}, issue_id, project_id
    from unnest(${links.map(({ issue }) => issue)}::bigint[], ${links.map(({ project }) => project)}::bigint[])
      as link (issue_id, project_id)
    on conflict do nothing`;
}
