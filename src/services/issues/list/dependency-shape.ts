import { z } from 'zod';
import { PackageVersion, Transitivity } from '#domain/dependencies/shape.ts';
import { IssueSeverity } from '#domain/findings/shape.ts';
import { count, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';
import { EPSS_CATEGORIES, ISSUE_REACHABILITIES, SCA_RULE_KINDS } from './filter-shape.ts';

export const EpssScore = z.object({
  score: z.number(),
  percentile: z.number(),
  updatedAt: timestamp().optional(),
  categorization: oneOf(EPSS_CATEGORIES),
});

export const MatchedDependency = z.object({
  package: z.string(),
  version: z.string(),
  transitivity: Transitivity,
  lockfileLineUrl: z.string(),
  filePath: z.string(),
  ecosystem: z.string(),
  manifestFilePath: z.string(),
});

const MATCH_KINDS = [
  'SCA_MATCH_KIND_LOCKFILE_ONLY',
  'SCA_MATCH_KIND_DIRECT_REACHABLE',
  'SCA_MATCH_KIND_DIRECT_UNREACHABLE',
  'SCA_MATCH_KIND_TRANSITIVE_REACHABLE',
  'SCA_MATCH_KIND_TRANSITIVE_UNREACHABLE',
  'SCA_MATCH_KIND_TRANSITIVE_UNDETERMINED',
] as const;

/** Members that only issues of dependencies have. */
export const ScaAttributes = z.object({
  severity: IssueSeverity,
  vulnDatabaseIdentifier: z.string(),
  reachability: oneOf(ISSUE_REACHABILITIES),
  reachableCondition: z.string(),
  cwes: z.array(z.string()),
  foundDependency: MatchedDependency,
  fixRecommendations: z.array(PackageVersion),
  bestFix: PackageVersion.optional(),
  epssScore: EpssScore.optional(),
  rulePublishDate: timestamp().optional(),
  scaRuleKind: oneOf(SCA_RULE_KINDS).optional(),
  scaMatchInfo: z
    .object({
      matchKind: oneOf(MATCH_KINDS),
      analyzedPackages: z.array(MatchedDependency),
      transitiveMatches: z.array(z.object({ dependency: MatchedDependency, path: z.string(), line: count() })),
    })
    .optional(),
  introducedBy: z.array(PackageVersion),
});
