import { queryOptions } from '@tanstack/react-query';
import { asProblem } from '#web/foundation/api/problem.ts';
import { issues, policies, registry, ruleboards } from '#web/foundation/api/services.ts';
import { type BoardProduct, type BoardRule, rulesFromEntries } from './board-changes.ts';

export interface Ruleboard {
  name: string;
  slug: string;
  isDefault: boolean;
  projects: readonly string[];
  product: BoardProduct;
}

const TYPES = { sast: 'RULEBOARD_TYPE_SAST', secrets: 'RULEBOARD_TYPE_SECRETS' } as const;

/** All boards with what they are made for, which only the question tells. */
export const ruleboardsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'ruleboards'],
    queryFn: async ({ signal }) => {
      const of = async (product: BoardProduct): Promise<Ruleboard[]> => {
        const query = { type: TYPES[product] };
        const reply = await ruleboards.listRuleboards({ path: { deploymentId }, query }, { signal });
        return reply.ruleboards.map((board) => ({
          name: board.name,
          slug: board.slug,
          isDefault: board.default,
          projects: board.assigned_repos,
          product,
        }));
      };
      return (await Promise.all([of('sast'), of('secrets')])).flat();
    },
  });

/** What is on a board, with the version that a change of it must name. */
export const ruleboardQuery = (deploymentId: string, ruleboardSlug: string) =>
  queryOptions({
    queryKey: [deploymentId, 'ruleboards', ruleboardSlug],
    queryFn: async ({ signal }): Promise<{ rows: BoardRule[]; version: string }> => {
      let version = '';
      const onVersion = (etag: string) => {
        version = etag;
      };
      const { rules } = await ruleboards.getRuleboard({ path: { deploymentId, ruleboardSlug } }, { signal, onVersion });
      return { rows: rulesFromEntries(rules), version };
    },
  });

/** Whether the deployment uses Unified Policies: the older service is gone then, and says so. */
export const migrationQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'is-migrated'],
    queryFn: async ({ signal }) => {
      try {
        await policies.listPolicies({ path: { deploymentId } }, { signal });
        return false;
      } catch (error) {
        if (asProblem(error).body.code === 'DEPLOYMENT_MIGRATED') return true;
        throw error;
      }
    },
    staleTime: 5 * 60_000,
  });

const MOST_RULES = 200;

/** How many open findings each rule has, for the rules that have most. */
export const openFindingsByRuleQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'counts', 'open-by-rule'],
    queryFn: async ({ signal }) => {
      const body = { q: 'is:open', groupBy: 'GROUP_BY_RULE' as const, limit: MOST_RULES, cursor: '' };
      const { groups } = await issues.groupIssues({ path: { deploymentId }, body }, { signal });
      return new Map(groups.map(({ label, count, q }) => [label, { count: Number(count), q }]));
    },
  });

export interface LibraryRule {
  id: string;
  message: string;
  severity: string;
  languages: readonly string[];
}

/** Rulesets that come with the program. */
export const BUILT_IN_RULESETS = [
  'default',
  'owasp-top-ten',
  'secrets',
  'javascript',
  'typescript',
  'python',
  'go',
  'java',
];

/** The rules that come with the program. */
export const ruleLibraryQuery = queryOptions({
  queryKey: ['rule-library'],
  queryFn: async ({ signal }) =>
    ((await registry.getRuleset({ path: { name: 'parapet' } }, { signal })) as unknown as { rules: LibraryRule[] })
      .rules,
  staleTime: Number.POSITIVE_INFINITY,
});
