import { z } from 'zod';
import { Product } from '#domain/products/shape.ts';
import { id, oneOf } from '#kernel/contract/proto-fields.ts';

export const ReviewCommentContentType = oneOf(['REVIEW_COMMENT_CONTENT_TYPE_ADDENDUM']);

/** Text that is added to the review comments of a product. */
export const ReviewCommentContent = z.object({
  id: id('ReviewCommentContent'),
  contentType: ReviewCommentContentType,
  content: z.string(),
  productContent: z.object({ productType: Product }),
});

/** What the examples of the API description show. */
export const exampleIds = { ProductWithoutContent: 'PRODUCT_SAST', ReviewCommentContent: '4' };
