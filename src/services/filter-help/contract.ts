import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';
import { deployment } from '#kernel/contract/proto-fields.ts';

const MAX_LENGTH = 4000;

export const helpWithFilter = operation({
  route: 'GET /api/v1/deployments/{deployment}/findings/filter-help',
  summary: 'Help with writing a filter of findings',
  description:
    'Returns the problems of the text, its canonical form, the completions at the cursor (values of findings, with ' +
    'their counts), and, if nothing matches, the terms to drop. Counts above 1000 are shown as 1000. For a ' +
    'text beyond the limits of a filter (2,000 characters, 50 terms, 100 values of a term) `matches` is 0.',
  maturity: 'experimental',
  allow: 'issue:read',
  isExtension: true,
  path: { deployment: deployment() },
  query: { q: z.string().max(MAX_LENGTH), cursorAt: z.int().min(0).max(MAX_LENGTH).optional() },
  reply: {
    canonical: z.string(),
    problems: z.array(
      z.object({
        code: z.string(),
        start: z.int(),
        end: z.int(),
        message: z.string(),
        suggestions: z.array(z.string()),
      }),
    ),
    completion: z.object({
      kind: z.enum(['key', 'value', 'text']),
      key: z.string(),
      start: z.int(),
      end: z.int(),
      offers: z.array(z.object({ value: z.string(), count: z.int().optional() })),
    }),
    matches: z.int(),
    drops: z.array(z.object({ term: z.string(), q: z.string(), matches: z.int() })),
  },
});
