import { oneOf } from '#kernel/contract/proto-fields.ts';

/** Filter keys that have facets. */
export const FACET_KEYS = [
  'is',
  'severity',
  'type',
  'project',
  'rule',
  'tag',
  'cwe',
  'confidence',
  'assignee',
] as const;
export const FacetKey = oneOf(FACET_KEYS);
export type FacetKey = (typeof FACET_KEYS)[number];

/** Properties by which issues can be grouped. */
export const ISSUE_GROUPINGS = [
  'GROUP_BY_RULE',
  'GROUP_BY_PROJECT',
  'GROUP_BY_PATH',
  'GROUP_BY_CWE',
  'GROUP_BY_DEPENDENCY',
] as const;
export type IssueGrouping = (typeof ISSUE_GROUPINGS)[number];
