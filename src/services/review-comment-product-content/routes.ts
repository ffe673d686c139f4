import * as deployments from '#domain/deployments/store.ts';
import * as store from '#domain/review-comments/store.ts';
import { NOT_FOUND, VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

const ADDENDUM = 'REVIEW_COMMENT_CONTENT_TYPE_ADDENDUM';

function answerWith(answer: Call['answer'], { version, ...content }: store.StoredReviewCommentContent) {
  answer.setEtag(version);
  return { reviewCommentProductContent: content };
}

function refuseOtherId(given: string | undefined, id: string): void {
  if (given === undefined || given === '0' || given === id) return;
  const pointer = '#/reviewCommentProductContent/id';
  const detail = 'does not agree with the path';
  refuseFieldErrors(VALIDATION_FAILED, [{ pointer, code: 'PATH_MISMATCH', detail }]);
}

/** ReviewCommentProductContentService: text that is added to the review comments of each product. */
export const reviewCommentProductContent = group(
  'ReviewCommentProductContentService',
  contract,
  {
    listReviewCommentProductContent: async ({ path, tx }) => {
      const contents = await store.list(tx, path.deploymentId);
      return { reviewCommentContents: contents.map(({ version: _, ...content }) => content) };
    },

    createReviewCommentProductContent: async ({ path, body, tx, answer }) => {
      const { content, contentType = ADDENDUM, productContent } = body.reviewCommentProductContent;
      const product = productContent.productType;
      await deployments.lock(tx, path.deploymentId);
      const inserted = await store.insert(tx, path.deploymentId, { product, contentType, content });
      if (!inserted) throw contract.CONTENT_EXISTS({ product });
      answer.recordEffect({ object: `review-comment-content/${inserted.id}`, after: inserted });
      return answerWith(answer, inserted);
    },

    updateReviewCommentProductContent: async ({ path, body, tx, answer }) => {
      const change = body.reviewCommentProductContent;
      const ref = { deployment: path.deploymentId, id: path.reviewCommentProductContentId };
      await deployments.lock(tx, ref.deployment);
      const before = await store.findForUpdate(tx, ref.deployment, ref.id);
      if (!before) throw NOT_FOUND();
      refuseOtherId(change.id, ref.id);
      answer.expectVersion(before.version);
      const product = change.productContent?.productType ?? before.productContent.productType;
      const after = await store.update(tx, ref, {
        product,
        contentType: change.contentType ?? before.contentType,
        content: change.content ?? before.content,
      });
      if (!after) throw contract.CONTENT_EXISTS({ product });
      answer.recordEffect({ object: `review-comment-content/${ref.id}`, before, after });
      return answerWith(answer, after);
    },

    deleteReviewCommentProductContent: async ({ path, tx, answer }) => {
      const { deploymentId, reviewCommentProductContentId } = path;
      const before = await store.findForUpdate(tx, deploymentId, reviewCommentProductContentId);
      if (!before) throw NOT_FOUND();
      await store.remove(tx, deploymentId, reviewCommentProductContentId);
      answer.recordEffect({ object: `review-comment-content/${reviewCommentProductContentId}`, before });
      return {};
    },
  },
  {
    objects: {
      reviewCommentProductContentId: async (tx, { deployment, id }) =>
        (await store.exists(tx, deployment, id)) ? new Set<string>() : undefined,
    },
  },
);
