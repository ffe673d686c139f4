import { z } from 'zod';
import { Product } from '#domain/products/shape.ts';
import { ScanProduct } from '#domain/scans/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, line } from '#kernel/contract/proto-fields.ts';

export const MAX_IGNORE_PATTERNS = 1000;
const MAX_PATTERN_LENGTH = 512;
const MAX_LISTS = 16;

export const IGNORES_FULL = fault(
  'IGNORES_FULL',
  409,
  'A product can have at most {most} patterns.',
  'Remove patterns that no longer match, or use patterns that match more.',
);

export const ProductIgnores = z.object({ product: Product, ignores: z.array(z.string()) });
export const ProductIgnoresChange = z.array(
  z.object({ product: Product, ignores: z.array(line(MAX_PATTERN_LENGTH)).max(MAX_IGNORE_PATTERNS).optional() }),
);

const route = '/api/agent/deployments/{deploymentId}/ignores';
const path = { deploymentId: deployment() };
const body = {
  deploymentId: id('Deployment').optional(),
  productIgnores: ProductIgnoresChange.max(MAX_LISTS).optional(),
};
const managing = { maturity: 'experimental', allow: 'policy:manage', credential: 'user', path, reply: {} } as const;

export const getDeploymentProductIgnores = operation({
  route: `GET ${route}`,
  summary: 'Get the paths that scans ignore',
  description: 'For each product that has a list. Patterns are lines of a .semgrepignore file.',
  maturity: 'experimental',
  allow: 'policy:read',
  credential: 'user',
  path,
  reply: { productIgnores: z.array(ProductIgnores) },
});

export const createDeploymentProductIgnores = operation({
  ...managing,
  route: `POST ${route}`,
  summary: 'Add paths that scans ignore',
  description:
    'Appends the patterns that a product does not have yet. Patterns are lines of a .semgrepignore file: `*`, `?`, ' +
    '`[…]` and `**`; a trailing slash matches only folders, another slash anchors the pattern at the root; `!` ' +
    'negates; empty lines and lines that start with `#` are ignored. The change applies to the next scans.',
  isStrict: true,
  body,
  faults: [IGNORES_FULL],
});

export const updateDeploymentProductIgnores = operation({
  ...managing,
  route: `PATCH ${route}`,
  summary: 'Replace the paths that scans ignore',
  description: 'Replaces the whole list of each given product; an empty list is removed. Other products are unchanged.',
  isStrict: true,
  body,
  faults: [IGNORES_FULL],
});

export const deleteDeploymentProductIgnores = operation({
  ...managing,
  route: `DELETE ${route}`,
  summary: 'Remove the paths that scans ignore',
  description: 'Of one product, or of all products if none is given. Succeeds also if there is no list.',
  isStrict: true,
  query: { product: ScanProduct.optional() },
});
