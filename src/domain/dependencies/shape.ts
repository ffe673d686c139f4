import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { id, line, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

export const PACKAGE_ECOSYSTEMS = [
  'no_package_manager',
  'npm',
  'pypi',
  'gomod',
  'cargo',
  'maven',
  'gem',
  'composer',
  'nuget',
  'pub',
  'swiftpm',
  'hex',
  'cocoapods',
  'mix',
  'opam',
] as const;
export const PackageEcosystem = oneOf(PACKAGE_ECOSYSTEMS);
export type PackageEcosystem = z.output<typeof PackageEcosystem>;

export const PackageVersion = z.object({ package: z.string(), version: z.string() });

export const Transitivity = oneOf(['UNKNOWN_TRANSITIVITY', 'TRANSITIVE', 'DIRECT']);
export type Transitivity = z.output<typeof Transitivity>;

export const LicensePolicySetting = oneOf([
  'LICENSE_POLICY_SETTING_ALLOW',
  'LICENSE_POLICY_SETTING_COMMENT',
  'LICENSE_POLICY_SETTING_BLOCK',
  'LICENSE_POLICY_SETTING_UNSPECIFIED',
]);

export const DEPENDENCY_FILTER_REFUSED = fault(
  'DEPENDENCY_FILTER_REFUSED',
  400,
  'The dependency filter cannot be used: {reason}.',
  'Write bounds as ">=1.0.0" and "<2.0.0"; if there are too many versions, name the packages.',
);

export const DependencyLocation = z.object({
  path: z.string(),
  startLine: z.string(),
  startCol: z.string(),
  endLine: z.string(),
  endCol: z.string(),
  url: z.string(),
  committedAt: timestamp().optional(),
});

/** A dependency that was found in a lockfile or manifest. */
export const FoundDependency = z.object({
  repositoryId: id('Project'),
  definedAt: DependencyLocation,
  transitivity: Transitivity,
  package: z.object({ name: z.string(), versionSpecifier: z.string() }),
  ecosystem: PackageEcosystem,
  licenses: z.array(z.string()),
  manifestDefinition: DependencyLocation.optional(),
  resolvedUrl: z.string(),
});

const MAX_LIST_LENGTH = 1000;
const MAX_PACKAGE_FILTERS = 100;
const MAX_TEXT_LENGTH = 512;

const text = () => line(MAX_TEXT_LENGTH).optional();

export const PackageFilter = z.object({
  name: text(),
  versionLowerBound: text(),
  versionUpperBound: text(),
  exactVersion: text(),
  exactNameMatch: z.boolean().optional(),
});
export type PackageFilter = z.output<typeof PackageFilter>;

/** The filter members that are also query parameters: all but the package filters. */
export const simpleDependencyFilter = {
  name: text(),
  version: text(),
  repositoryId: z.array(plain.id('Project')).max(MAX_LIST_LENGTH).optional(),
  transitivity: z.array(Transitivity).max(MAX_LIST_LENGTH).optional(),
  ecosystem: z.array(PackageEcosystem).max(MAX_LIST_LENGTH).optional(),
  lockfilePath: line(4096).optional(),
  licensePolicySettings: z.array(LicensePolicySetting).max(MAX_LIST_LENGTH).optional(),
  license: z.array(line(MAX_TEXT_LENGTH)).max(MAX_LIST_LENGTH).optional(),
  includeArchived: z.boolean().optional(),
};

/** A filter of dependencies; absent and empty members match everything. */
export const DependencyFilter = z.object({
  ...simpleDependencyFilter,
  packageFilters: z.array(PackageFilter).max(MAX_PACKAGE_FILTERS).optional(),
});
export type DependencyFilter = z.output<typeof DependencyFilter>;

export const RepositorySummary = z.object({
  id: plain.id('Project'),
  name: z.string(),
  numDependencies: z.int(),
  hasDependencyPathScan: z.boolean(),
});
export const LockfileSummary = z.object({ lockfilePath: z.string(), numDependencies: z.int() });
