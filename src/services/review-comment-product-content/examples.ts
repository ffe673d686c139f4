import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listReviewCommentProductContent: (of) => ({ path: { deploymentId: of('Deployment') } }),
  createReviewCommentProductContent: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      reviewCommentProductContent: {
        contentType: 'REVIEW_COMMENT_CONTENT_TYPE_ADDENDUM',
        content: 'Questions? Ask in **#security**.',
        productContent: { productType: of('ProductWithoutContent') as 'PRODUCT_SAST' },
      },
    },
  }),
  updateReviewCommentProductContent: (of) => ({
    path: { deploymentId: of('Deployment'), reviewCommentProductContentId: of('ReviewCommentContent') },
    body: { reviewCommentProductContent: { content: 'Questions? Ask in **#appsec**.' } },
  }),
  deleteReviewCommentProductContent: (of) => ({
    path: { deploymentId: of('Deployment'), reviewCommentProductContentId: of('ReviewCommentContent') },
  }),
};
