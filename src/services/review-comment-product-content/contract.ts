import { z } from 'zod';
import { Product } from '#domain/products/shape.ts';
import { ReviewCommentContent, ReviewCommentContentType } from '#domain/review-comments/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id } from '#kernel/contract/proto-fields.ts';

/** Short enough to be added to every comment. */
const MAX_CONTENT_LENGTH = 4000;

export const CONTENT_EXISTS = fault(
  'CONTENT_EXISTS',
  409,
  'The product {product} already has content of this type.',
  'Change the existing content, or delete it first.',
);

/** Line breaks and tabs are allowed in a comment; other control characters are not. */
const CONTROL = /[^\P{Cc}\n\r\t]/u;

const text = () =>
  z
    .string()
    .max(MAX_CONTENT_LENGTH)
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
  summary: 'List the text added to review comments',
  description: 'In order of the products.',
  maturity: 'experimental',
  allow: 'product:read',
  path,
  reply: { reviewCommentContents: z.array(ReviewCommentContent) },
});

export const createReviewCommentProductContent = operation({
  ...managing,
  route: `POST ${base}`,
  summary: 'Add text to the review comments of a product',
  description: 'Markdown; one addendum for each product. An `id` in the body has no effect.',
  path,
  body: { deploymentId: id('Deployment').optional(), reviewCommentProductContent: NewReviewCommentContent },
  reply: { reviewCommentProductContent: ReviewCommentContent },
  faults: [CONTENT_EXISTS],
});

export const updateReviewCommentProductContent = operation({
  ...managing,
  route: `PUT ${base}/{reviewCommentProductContentId}`,
  summary: 'Change the text added to the review comments of a product',
  description: 'Absent members are unchanged.',
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
  summary: 'Delete the text added to the review comments of a product',
  path: contentPath,
  reply: {},
});
