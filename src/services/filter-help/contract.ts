import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';
import { deployment } from '#kernel/contract/proto-fields.ts';

const LONGEST = 4000;

export const helpWithFilter = operation({
  route: 'GET /api/v1/deployments/{deployment}/findings/filter-help',
  summary: 'Help with writing a filter of findings',
  description:
    'Says what is wrong with the text, how the same filter is written in its canonical form, what could stand at the ' +
    'cursor (values that findings have, with their numbers), and, when nothing is found, which term to drop. Numbers ' +
    'above 1000 are shown as 1000.',
  maturity: 'experimental',
  allow: 'issue:read',
  isExtension: true,
  path: { deployment: deployment() },
  query: { q: z.string().max(LONGEST), cursorAt: z.int().min(0).max(LONGEST).optional() },
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
