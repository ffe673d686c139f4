import { announceNewIds } from '#domain/findings/tracking/id-snapshot.ts';
import { findUnknownProjects } from '#domain/teams/members.ts';
import { recordActivity, type WorkflowIssueChange } from '#domain/workflow-issues/activity.ts';
import { decideIssues, triageFieldsOf } from '#domain/workflow-issues/decide-issues.ts';
import { isNewDecision, normaliseTriage } from '#domain/workflow-issues/rules.ts';
import { findWorkflowIssues } from '#domain/workflow-issues/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as activity from './activity-store.ts';
import * as contract from './contract.ts';
import * as reportStore from './report-store.ts';
import {
  changedMembers,
  entriesByIdentity,
  mergeEntries,
  type WorkflowIssueContent,
  type WorkflowReport,
} from './rules.ts';
import * as store from './store.ts';

type IssueCall = Pick<Call, 'tx' | 'caller' | 'answer'>;

async function replyWithIssue({ tx, caller, answer }: IssueCall, id: string) {
  const found = await store.find(tx, caller, { id, isLocked: false });
  if (!found) throw NOT_FOUND();
  const { version, ...data } = found;
  answer.setEtag(version);
  return { data };
}

/** Refuses projects that do not exist, are invisible or belong to another deployment with the same error. */
async function refuseUnknownProjects(tx: Tx, caller: Caller, { issues }: WorkflowReport): Promise<void> {
  const projectIds = new Set(issues.flatMap(({ projectId }) => projectId ?? []));
  if (projectIds.size === 0) return;
  const unknown = await findUnknownProjects(tx, caller, [...projectIds]);
  refuseFieldErrors(
    contract.REPORT_REFUSED,
    issues.flatMap(({ projectId }, index) =>
      projectId !== undefined && unknown.has(projectId)
        ? [
            {
              pointer: `#/issues/${index}/projectId`,
              code: 'UNKNOWN_REFERENCE',
              detail: `project ${projectId} is not known in this deployment`,
            },
          ]
        : [],
    ),
  );
}

/** Refuses identities of issues that the caller may not see. */
function refuseInvisible(existing: readonly reportStore.LockedWorkflowIssue[], { issues }: WorkflowReport): void {
  const hidden = new Set(existing.filter(({ isVisible }) => !isVisible).map(({ identity }) => identity));
  refuseFieldErrors(
    contract.REPORT_REFUSED,
    issues.flatMap(({ identity }, index) =>
      hidden.has(identity.trim())
        ? [
            {
              pointer: `#/issues/${index}/identity`,
              code: 'NOT_YOURS',
              detail: 'belongs to an issue that you may not see',
            },
          ]
        : [],
    ),
  );
}

const pick = (content: WorkflowIssueContent, names: (keyof WorkflowIssueContent)[]) =>
  Object.fromEntries(names.map((name) => [name, content[name]]));

const contentOf = ({
  id: _,
  identity: __,
  isVisible: ___,
  ...content
}: reportStore.LockedWorkflowIssue): WorkflowIssueContent => content;

/** PublicIssuesService: issues of Agentic Workflows and their triage. */
export const publicIssues = group(
  'PublicIssuesService',
  contract,
  {
    searchIssues: async ({ body, page, tx, caller }) => {
      const order = {
        field: body.sortField ?? 'ISSUE_SORT_FIELD_LAST_DETECTED_AT',
        isDescending: body.sortDirection !== 'SORT_DIRECTION_ASC',
      };
      const filters = body.filters ?? {};
      const rows = await store.search(tx, caller, { filters, order, window: page.window });
      const { items, cursor } = page.close(rows, ({ sortKey, id }) => [sortKey, id]);
      return { issues: items, total: await store.countMatching(tx, caller, filters), cursor };
    },

    countIssues: async ({ body, tx, caller }) => ({ count: await store.countMatching(tx, caller, body.filters ?? {}) }),

    getIssue: ({ path, tx, caller, answer }) => replyWithIssue({ tx, caller, answer }, path.issueId),

    triageIssue: async ({ path, body, tx, caller, answer, now }) => {
      const before = await store.find(tx, caller, { id: path.issueId, isLocked: true });
      if (!before) throw NOT_FOUND();
      answer.expectVersion(before.version);
      const decision = normaliseTriage(body);
      answer.recordEffect({ object: `issue/${path.issueId}`, before: triageFieldsOf(before), after: decision });
      if (isNewDecision(before, decision)) await decideIssues(tx, { caller, now }, { held: [before], decision });
      return replyWithIssue({ tx, caller, answer }, path.issueId);
    },

    getIssueActivityHistory: async ({ path, page, tx, caller }) => {
      const rows = await activity.listActivity(tx, caller, path.issueId, page.window);
      const { items, cursor } = page.close(rows, ({ id }) => [id]);
      return { history: items, cursor };
    },

    reportIssues: async ({ body, tx, caller, answer, now }) => {
      const context = { deployment: caller.deployment, now };
      await refuseUnknownProjects(tx, caller, body);
      const reported = entriesByIdentity(body);
      const newContents = new Map(
        [...reported].map(([identity, entries]) => [identity, mergeEntries(undefined, entries)]),
      );
      await announceNewIds(tx);
      const created = await reportStore.insertNewIssues(tx, context, newContents);
      const existing = await reportStore.lockExistingIssues(
        tx,
        caller,
        [...reported.keys()].filter((identity) => !created.has(identity)),
      );
      refuseInvisible(existing, body);
      const contents = new Map(
        [...created].map(([identity, id]) => [id, newContents.get(identity) as WorkflowIssueContent]),
      );
      const changes: WorkflowIssueChange[] = [];
      const updated = new Map<string, WorkflowIssueContent>();
      for (const issue of existing) {
        const before = contentOf(issue);
        const after = mergeEntries(before, reported.get(issue.identity) ?? []);
        const names = changedMembers(before, after);
        updated.set(issue.id, after);
        if (names.length > 0)
          changes.push({
            issue: issue.id,
            before: pick(before, names),
            after: pick(after, names),
            reason: `handed in by ${body.workflowId}`,
          });
      }
      await reportStore.updateLockedIssues(tx, context, updated);
      await reportStore.linkProjects(tx, caller.deployment, new Map([...contents, ...updated]));
      await recordActivity(tx, { caller, now }, changes);
      const ids = new Map([...created, ...existing.map(({ identity, id }) => [identity, id] as const)]);
      const reportedIds = [...reported.keys()].flatMap((identity) => ids.get(identity) ?? []);
      answer.recordEffect({
        object: `workflow/${body.workflowId}`,
        after: { created: [...created.values()], updated: [...updated.keys()] },
      });
      return {
        created: created.size,
        updated: existing.length,
        issues: await findWorkflowIssues(tx, caller, reportedIds),
      };
    },
  },
  {
    objects: {
      issueId: async (tx, { caller, id }) =>
        (await store.isIssueVisible(tx, caller, id)) ? new Set<string>() : undefined,
    },
  },
);
