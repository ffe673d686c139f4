import { z } from 'zod';
import { id, oneOf } from '#kernel/contract/proto.ts';

export const Product = oneOf(['PRODUCT_SAST', 'PRODUCT_SCA', 'PRODUCT_SECRETS', 'PRODUCT_AI_SAST']);
export const ContentType = oneOf(['REVIEW_COMMENT_CONTENT_TYPE_ADDENDUM']);

/** What is written under the review comments of a product. */
export const Content = z.object({
  id: id('ReviewCommentContent'),
  contentType: ContentType,
  content: z.string(),
  productContent: z.object({ productType: Product }),
});
