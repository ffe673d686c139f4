import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';

/** A rule in the engine's own form; what only the engine understands is passed on as it is. */
export const Rule = z.looseObject({
  id: z.string(),
  message: z.string(),
  severity: z.string(),
  languages: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type Rule = z.output<typeof Rule>;

/** What a scanner can be asked to look for. */
export const RULE_PRODUCTS = ['sast', 'sca', 'secrets'] as const;
export type RuleProduct = (typeof RULE_PRODUCTS)[number];

export const RULE_VISIBILITIES = ['org_private', 'unlisted', 'public'] as const;
export type RuleVisibility = (typeof RULE_VISIBILITIES)[number];

/** A rule of the library, wherever it comes from, with what names it to scanners. */
export interface LibraryRule {
  rule: Rule;
  source: 'shipped' | 'published';
  /** Names the rule beyond changes of its text; the number of a published one. */
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
