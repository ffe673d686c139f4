import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';

/** A rule in the engine's format; members that only the engine understands are passed through. */
export const Rule = z.looseObject({
  id: z.string(),
  message: z.string(),
  severity: z.string(),
  languages: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type Rule = z.output<typeof Rule>;

/** The products that have rules. */
export const RULE_PRODUCTS = ['sast', 'sca', 'secrets'] as const;
export type RuleProduct = (typeof RULE_PRODUCTS)[number];

export const RULE_VISIBILITIES = ['org_private', 'unlisted', 'public'] as const;
export type RuleVisibility = (typeof RULE_VISIBILITIES)[number];

/** A shipped or published rule with its ids for scanners. */
export interface LibraryRule {
  rule: Rule;
  source: 'shipped' | 'published';
  /** The pack of another registry that a shipped rule comes from; absent for our own. */
  pack?: string;
  /** Stable across versions: the rule's id, or the number of a published rule. */
  ruleId: string;
  versionId: string;
}

export const RULE_REFUSED = fault(
  'RULE_REFUSED',
  400,
  'The rule has {count}: {first}',
  'Correct each entry listed in `errors`; nothing was published.',
);
export const RULE_QUOTA = fault(
  'RULE_QUOTA',
  409,
  'A deployment can publish at most {rules} rules and {bytes} bytes of them, all versions counted.',
  'Publish fewer or smaller rules.',
);
