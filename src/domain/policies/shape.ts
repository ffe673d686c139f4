import { z } from 'zod';
import { ScmType } from '#domain/projects/shape.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

/** A board holds code rules or secrets rules. */
export const RULEBOARD_PRODUCTS = ['sast', 'secrets'] as const;
export type RuleboardProduct = (typeof RULEBOARD_PRODUCTS)[number];

/** What happens when a rule matches. */
export const RULE_MODES = ['monitor', 'comment', 'block', 'disabled'] as const;
export type RuleMode = (typeof RULE_MODES)[number];

export const RULEBOARD_ITEM_KINDS = ['rule', 'ruleset'] as const;
export type RuleboardItemKind = (typeof RULEBOARD_ITEM_KINDS)[number];

/** The path of a rule or ruleset, which this server need not know. */
export const RulePath = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[!-~]{1,256}$/, { error: 'expected a path of 1 to 256 visible ASCII characters' });

/** A board in RuleboardService, with the projects that the caller sees. */
export const Ruleboard = z.object({
  name: z.string(),
  slug: z.string(),
  default: z.boolean(),
  assigned_repos: z.array(z.string()),
});
export type Ruleboard = z.output<typeof Ruleboard>;

export const RuleboardEntry = z.object({ policy: z.string(), item: z.object({ id: z.string(), type: z.string() }) });
export type RuleboardEntry = z.output<typeof RuleboardEntry>;

export const RuleboardRepository = z.object({
  id: plain.id('Project'),
  name: z.string(),
  tags: z.array(z.string()),
  scmType: ScmType,
});

/** A board in the deprecated PoliciesService. */
export const Policy = z.object({
  id: id('Policy'),
  isDefault: z.boolean(),
  name: z.string(),
  productType: oneOf(['PRODUCT_TYPE_SAST', 'PRODUCT_TYPE_SECRETS']),
  slug: z.string(),
});
export type Policy = z.output<typeof Policy>;

export const PolicyMode = oneOf(['MODE_MONITOR', 'MODE_COMMENT', 'MODE_BLOCK', 'MODE_DISABLED']);
export type PolicyMode = z.output<typeof PolicyMode>;

/** A rule of a board; metadata of a rule that this server does not have is empty or unspecified. */
export const PolicyRule = z.object({
  id: id('PolicyRule'),
  category: z.string(),
  confidence: oneOf(['CONFIDENCE_UNSPECIFIED', 'CONFIDENCE_HIGH', 'CONFIDENCE_MEDIUM', 'CONFIDENCE_LOW']),
  cweCategories: z.array(z.string()),
  hasValidators: z.boolean(),
  languages: z.array(z.string()),
  lastChangeAt: timestamp(),
  lastChangeBy: z.string(),
  owaspCategories: z.array(z.string()),
  path: z.string(),
  policyMode: PolicyMode,
  registryMaintainer: z.string(),
  rulesets: z.array(z.string()),
  secretType: z.string(),
  severity: oneOf(['SEVERITY_UNSPECIFIED', 'SEVERITY_HIGH', 'SEVERITY_MEDIUM', 'SEVERITY_LOW', 'SEVERITY_CRITICAL']),
  source: oneOf(['SOURCE_UNSPECIFIED', 'SOURCE_PRO', 'SOURCE_COMMUNITY', 'SOURCE_CUSTOM']),
  technologies: z.array(z.string()),
  url: z.string(),
  vulnerabilityClass: z.array(z.string()),
});
export type PolicyRule = z.output<typeof PolicyRule>;

/** Metadata from the definition of a rule. */
export interface RuleMetadata {
  path: string;
  category: string;
  confidence: PolicyRule['confidence'];
  severity: PolicyRule['severity'];
  source: PolicyRule['source'];
  languages: string[];
  technologies: string[];
  rulesets: string[];
  cwe: string[];
  owasp: string[];
  vulnerabilityClass: string[];
  secretType: string;
}

/** What the examples of the API description show. */
export const exampleIds = { Ruleboard: 'payments', Policy: '5', UnmigratedDeployment: '1' };
