import { z } from 'zod';
import { Product } from '#domain/products/shape.ts';
import { ScanProduct } from '#domain/scans/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, line } from '#kernel/contract/proto-fields.ts';

export const MAX_IGNORE_PATTERNS = 1000;
const LONGEST_PATTERN = 512;
const MOST_LISTS = 16;

export const IGNORES_FULL = fault(
  'IGNORES_FULL',
  409,
  'A product can have at most {most} patterns.',
  'Remove patterns that no longer match, or use patterns that match more.',
);

export const ProductIgnores = z.object({ product: Product, ignores: z.array(z.string()) });
export const ProductIgnoresChange = z.array(
  z.object({ product: Product, ignores: z.array(line(LONGEST_PATTERN)).max(MAX_IGNORE_PATTERNS).optional() }),
);

const route = '/api/agent/deployments/{deploymentId}/ignores';
const path = { deploymentId: deployment() };
const body = {
  deploymentId: id('Deployment').optional(),
  productIgnores: ProductIgnoresChange.max(MOST_LISTS).optional(),
};
const managing = { maturity: 'experimental', allow: 'policy:manage', scheme: 'user', path, reply: {} } as const;

export const getDeploymentProductIgnores = operation({
  route: `GET ${route}`,
  summary: 'Get the paths that scans leave out',
  description: 'For each product that has a list. Lines are read as those of a .semgrepignore file.',
  maturity: 'experimental',
  allow: 'policy:read',
  scheme: 'user',
  path,
  reply: { productIgnores: z.array(ProductIgnores) },
});

export const createDeploymentProductIgnores = operation({
  ...managing,
  route: `POST ${route}`,
  summary: 'Add paths that scans leave out',
  description:
    'Adds the patterns that a product does not have yet, after those that it has. Patterns are read as the lines of ' +
    'a .semgrepignore file: `*`, `?`, `[…]` and `**`; a slash at the end means folders, one before it the root; `!` ' +
    'takes back; empty lines and those that start with `#` mean nothing. Next scans go by it.',
  body,
  faults: [IGNORES_FULL],
});

export const updateDeploymentProductIgnores = operation({
  ...managing,
  route: `PATCH ${route}`,
  summary: 'Replace the paths that scans leave out',
  description:
    'Replaces the whole list of each product that is named; an empty one is removed. Other products stay as they are.',
  body,
  faults: [IGNORES_FULL],
});

export const deleteDeploymentProductIgnores = operation({
  ...managing,
  route: `DELETE ${route}`,
  summary: 'Remove the paths that scans leave out',
  description: 'Of one product, or of all where none is named. What is not there needs no removal.',
  query: { product: ScanProduct.optional() },
});
