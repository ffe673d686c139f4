import { announceOpening } from '#domain/findings/opening.ts';
import { unknownProjects } from '#domain/teams/members.ts';
import { type Change, remember } from '#domain/workflow-issues/activity.ts';
import { isNewDecision, triageOf } from '#domain/workflow-issues/rules.ts';
import { findMany } from '#domain/workflow-issues/store.ts';
import { decide, decidedOf } from '#domain/workflow-issues/triage.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/group.ts';
import * as activity from './activity.ts';
import * as contract from './contract.ts';
import * as handIn from './hand-in.ts';
import { type Content, changedMembers, draftsOf, mergedAll, type Report } from './rules.ts';
import * as store from './store.ts';

type Present = Pick<Call, 'tx' | 'caller' | 'answer'>;

async function answerIssue({ tx, caller, answer }: Present, id: string) {
  const found = await store.find(tx, caller, { id, isLocked: false });
  if (!found) throw NOT_FOUND();
  const { version, ...data } = found;
  answer.tag(version);
  return { data };
}

function refuse(errors: FieldError[]): void {
  const [first] = errors;
  if (!first) return;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  throw contract.REPORT_REFUSED({ count, first: `${first.pointer} ${first.detail}` }, { errors });
}

/** Projects that are not there, not theirs and not in this deployment are refused alike. */
async function refuseUnknownProjects(tx: Tx, caller: Caller, { issues }: Report): Promise<void> {
  const named = new Set(issues.flatMap(({ projectId }) => projectId ?? []));
  if (named.size === 0) return;
  const unknown = await unknownProjects(tx, caller, [...named]);
  refuse(
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

/** An identity that belongs to an issue out of the caller's sight is neither shown nor changed. */
function refuseHidden(known: readonly handIn.Known[], { issues }: Report): void {
  const hidden = new Set(known.filter(({ isVisible }) => !isVisible).map(({ identity }) => identity));
  refuse(
    issues.flatMap(({ identity }, index) =>
      hidden.has(identity.trim())
        ? [{ pointer: `#/issues/${index}/identity`, code: 'NOT_YOURS', detail: 'is an issue of projects of others' }]
        : [],
    ),
  );
}

const picked = (content: Content, names: (keyof Content)[]) =>
  Object.fromEntries(names.map((name) => [name, content[name]]));

const contentOf = ({ id: _, identity: __, isVisible: ___, ...content }: handIn.Known): Content => content;

/** PublicIssuesService: what Agentic Workflows found, and what people decided about it. */
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
      return { issues: items, total: await store.total(tx, caller, filters), cursor };
    },

    countIssues: async ({ body, tx, caller }) => ({ count: await store.total(tx, caller, body.filters ?? {}) }),

    getIssue: ({ path, tx, caller, answer }) => answerIssue({ tx, caller, answer }, path.issueId),

    triageIssue: async ({ path, body, tx, caller, answer, now }) => {
      const before = await store.find(tx, caller, { id: path.issueId, isLocked: true });
      if (!before) throw NOT_FOUND();
      answer.expectVersion(before.version);
      const decision = triageOf(body);
      answer.changed({ object: `issue/${path.issueId}`, before: decidedOf(before), after: decision });
      if (isNewDecision(before, decision)) await decide(tx, { caller, now }, { held: [before], decision });
      return answerIssue({ tx, caller, answer }, path.issueId);
    },

    getIssueActivityHistory: async ({ path, page, tx, caller }) => {
      const rows = await activity.list(tx, caller, path.issueId, page.window);
      const { items, cursor } = page.close(rows, ({ id }) => [id]);
      return { history: items, cursor };
    },

    reportIssues: async ({ body, tx, caller, answer, now }) => {
      const place = { deployment: caller.deployment, now };
      await refuseUnknownProjects(tx, caller, body);
      const drafts = draftsOf(body);
      const fresh = new Map([...drafts].map(([identity, entries]) => [identity, mergedAll(undefined, entries)]));
      await announceOpening(tx);
      const made = await handIn.insertMissing(tx, place, fresh);
      const known = await handIn.lockKnown(
        tx,
        caller,
        [...drafts.keys()].filter((identity) => !made.has(identity)),
      );
      refuseHidden(known, body);
      const contents = new Map([...made].map(([identity, id]) => [id, fresh.get(identity) as Content]));
      const changes: Change[] = [];
      const rewritten = new Map<string, Content>();
      for (const issue of known) {
        const before = contentOf(issue);
        const after = mergedAll(before, drafts.get(issue.identity) ?? []);
        const names = changedMembers(before, after);
        rewritten.set(issue.id, after);
        if (names.length > 0)
          changes.push({
            issue: issue.id,
            before: picked(before, names),
            after: picked(after, names),
            reason: `handed in by ${body.workflowId}`,
          });
      }
      await handIn.rewrite(tx, place, rewritten);
      await handIn.linkProjects(tx, caller.deployment, new Map([...contents, ...rewritten]));
      await remember(tx, { caller, now }, changes);
      const ids = new Map([...made, ...known.map(({ identity, id }) => [identity, id] as const)]);
      const wanted = [...drafts.keys()].flatMap((identity) => ids.get(identity) ?? []);
      answer.changed({
        object: `workflow/${body.workflowId}`,
        after: { created: [...made.values()], updated: [...rewritten.keys()] },
      });
      return { created: made.size, updated: known.length, issues: await findMany(tx, caller, wanted) };
    },
  },
  {
    objects: {
      issueId: async (tx, { caller, id }) => ((await store.isVisible(tx, caller, id)) ? new Set<string>() : undefined),
    },
  },
);
