import { z } from 'zod';
import { id, oneOf } from '#kernel/contract/proto-fields.ts';

export const ReviewCommentProduct = oneOf(['PRODUCT_SAST', 'PRODUCT_SCA', 'PRODUCT_SECRETS', 'PRODUCT_AI_SAST']);
export const ReviewCommentContentType = oneOf(['REVIEW_COMMENT_CONTENT_TYPE_ADDENDUM']);

/** What is written under the review comments of a product. */
export const ReviewCommentContent = z.object({
  id: id('ReviewCommentContent'),
  contentType: ReviewCommentContentType,
  content: z.string(),
  productContent: z.object({ productType: ReviewCommentProduct }),
});

/** What the examples of the API description show. */
export const exampleIds = { ProductWithoutContent: 'PRODUCT_SAST', ReviewCommentContent: '4' };
