import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import type { OperationHandlers } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { mentionedAddresses } from './rules.ts';
import * as store from './store.ts';

type Stored = NonNullable<Awaited<ReturnType<typeof store.findComment>>>;

const shown = ({ issueId: _, ...comment }: Stored) => comment;

/** Handlers of comments on issues. */
export const commentHandlers: OperationHandlers<typeof contract> = {
  listIssueComments: async ({ path, tx, caller, page }) => {
    const rows = await store.listComments(tx, caller, { issue: path.issueId, window: page.window });
    const { items, cursor } = page.close(rows, ({ id }) => [id]);
    return { comments: items.map(shown), cursor };
  },

  createIssueComment: async ({ path, body, tx, caller, now, answer }) => {
    const { issueId: issue } = path;
    await lockLimit(tx, { deployment: caller.deployment, limit: `comments ${issue}` });
    if ((await store.countComments(tx, caller.deployment, issue)) >= contract.MAX_COMMENTS)
      throw contract.COMMENT_QUOTA({ most: contract.MAX_COMMENTS });
    const id = await store.insertComment(tx, caller, { issue, text: body.text, at: now });
    await store.notifyMentioned(tx, caller, { issue, addresses: mentionedAddresses(body.text) });
    const comment = await store.findComment(tx, caller, id);
    if (!comment) throw NOT_FOUND();
    answer.recordEffect({ object: `comment/${id}`, after: { issue, text: body.text } });
    return { comment: shown(comment) };
  },

  updateIssueComment: async ({ path, body, tx, caller, now, answer }) => {
    const id = path.commentId;
    const before = await store.findComment(tx, caller, id);
    if (!before || !(await store.updateComment(tx, caller, { id, text: body.text, at: now }))) throw NOT_FOUND();
    const known = mentionedAddresses(before.text);
    const addresses = mentionedAddresses(body.text).filter((address) => !known.includes(address));
    await store.notifyMentioned(tx, caller, { issue: before.issueId, addresses });
    answer.recordEffect({ object: `comment/${id}`, before: { text: before.text }, after: { text: body.text } });
    return { comment: shown({ ...before, text: body.text, editedAt: now }) };
  },

  deleteIssueComment: async ({ path, tx, caller, answer }) => {
    const before = await store.findComment(tx, caller, path.commentId);
    if (!before || !(await store.deleteComment(tx, caller, path.commentId))) throw NOT_FOUND();
    answer.recordEffect({ object: `comment/${path.commentId}`, before: { text: before.text } });
    return {};
  },
};
