import { z } from 'zod';
import { Product } from '#domain/products/shape.ts';
import { ReviewCommentContent, ReviewCommentContentType } from '#domain/review-comments/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id } from '#kernel/contract/proto-fields.ts';

/** Short enough to stand under every comment. */
const LONGEST_CONTENT = 4000;

export const CONTENT_EXISTS = fault(
  'CONTENT_EXISTS',
  409,
  'The product {product} already has such a content.',
  'Change the one that is there, or delete it first.',
);

/** Lines and tabs are part of a comment; other control characters are not. */
const CONTROL = /[^\P{Cc}\n\r\t]/u;

const text = () =>
  z
    .string()
    .max(LONGEST_CONTENT)
    .refine((content) => content.trim() !== '', { error: 'must not be empty' })
    .refine((content) => !CONTROL.test(content), { error: 'must not contain control characters' });

const given = { id: id('ReviewCommentContent').optional(), contentType: ReviewCommentContentType.optional() };
export const NewReviewCommentContent = z.object({
  ...given,
  content: text(),
  productContent: z.object({ productType: Product }),
});
export const ReviewCommentContentChange = z.object({
  ...given,
  content: text().optional(),
  productContent: z.object({ productType: Product.optional() }).optional(),
});

const base = '/api/deployments/{deploymentId}/scm_comment_product_content';
const path = { deploymentId: deployment() };
const contentPath = { ...path, reviewCommentProductContentId: id('ReviewCommentContent') };
const managing = { maturity: 'experimental', allow: 'product:manage' } as const;

export const listReviewCommentProductContent = operation({
  route: `GET ${base}`,
  summary: 'List what is written under review comments',
  description: 'In the order of the products.',
  maturity: 'experimental',
  allow: 'product:read',
  path,
  reply: { reviewCommentContents: z.array(ReviewCommentContent) },
});

export const createReviewCommentProductContent = operation({
  ...managing,
  route: `POST ${base}`,
  summary: 'Write something under the review comments of a product',
  description: 'Markdown; one addendum for each product. An `id` in the body has no effect.',
  path,
  body: { deploymentId: id('Deployment').optional(), reviewCommentProductContent: NewReviewCommentContent },
  reply: { reviewCommentProductContent: ReviewCommentContent },
  faults: [CONTENT_EXISTS],
});

export const updateReviewCommentProductContent = operation({
  ...managing,
  route: `PUT ${base}/{reviewCommentProductContentId}`,
  summary: 'Change what is written under the review comments of a product',
  description: 'Members that are absent stay as they are.',
  path: contentPath,
  body: {
    deploymentId: id('Deployment').optional(),
    reviewCommentProductContentId: id('ReviewCommentContent').optional(),
    reviewCommentProductContent: ReviewCommentContentChange,
  },
  reply: { reviewCommentProductContent: ReviewCommentContent },
  faults: [CONTENT_EXISTS],
  isVersioned: true,
});

export const deleteReviewCommentProductContent = operation({
  ...managing,
  route: `DELETE ${base}/{reviewCommentProductContentId}`,
  summary: 'Delete what is written under the review comments of a product',
  path: contentPath,
  reply: {},
});
