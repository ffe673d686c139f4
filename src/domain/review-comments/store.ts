import type { z } from 'zod';
import { count } from '#kernel/contract/proto-fields.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { ReviewCommentContent } from './shape.ts';

const StoredReviewCommentContent = ReviewCommentContent.extend({ version: count() });
export type StoredReviewCommentContent = z.output<typeof StoredReviewCommentContent>;

const columns = sql`
  id, content_type as "contentType", content, jsonb_build_object('productType', product) as "productContent", version`;

export interface ReviewCommentContentDraft {
  product: string;
  contentType: string;
  content: string;
}

export const list = (tx: Tx, deployment: string): Promise<StoredReviewCommentContent[]> =>
  tx.all(StoredReviewCommentContent)`
    select ${columns} from review_comment_content where deployment_id = ${deployment} order by product, content_type`;

/** Undefined if the product already has content of this type. */
export const insert = (
  tx: Tx,
  deployment: string,
  draft: ReviewCommentContentDraft,
): Promise<StoredReviewCommentContent | undefined> =>
  tx.one(StoredReviewCommentContent)`
    insert into review_comment_content (deployment_id, product, content_type, content)
    values (${deployment}, ${draft.product}, ${draft.contentType}, ${draft.content})
    on conflict (deployment_id, product, content_type) do nothing
    returning ${columns}`;

export async function exists(tx: Tx, deployment: string, id: string): Promise<boolean> {
  return (
    (await tx.rows`select from review_comment_content where deployment_id = ${deployment} and id = ${id}`).length > 0
  );
}

export const findForUpdate = (
  tx: Tx,
  deployment: string,
  id: string,
): Promise<StoredReviewCommentContent | undefined> =>
  tx.one(StoredReviewCommentContent)`
    select ${columns} from review_comment_content where deployment_id = ${deployment} and id = ${id} for update`;

/** Undefined if the product has other content of this type. The caller has locked the deployment. */
export const update = (
  tx: Tx,
  { deployment, id }: { deployment: string; id: string },
  draft: ReviewCommentContentDraft,
): Promise<StoredReviewCommentContent | undefined> =>
  tx.one(StoredReviewCommentContent)`
    update review_comment_content
    set product = ${draft.product}, content_type = ${draft.contentType}, content = ${draft.content},
        version = version + 1, updated_at = now()
    where deployment_id = ${deployment} and id = ${id}
      and not exists (select from review_comment_content as other
        where other.deployment_id = ${deployment} and other.product = ${draft.product}
          and other.content_type = ${draft.contentType} and other.id <> ${id})
    returning ${columns}`;

export const remove = (tx: Tx, deployment: string, id: string): Promise<number> =>
  tx.run`delete from review_comment_content where deployment_id = ${deployment} and id = ${id}`;
