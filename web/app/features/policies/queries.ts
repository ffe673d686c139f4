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

/** All ruleboards with their product, which the API only takes as a filter and does not return. */
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

/** The rules of a ruleboard, with the version that an update must send. */
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

/** Whether the deployment uses Unified Policies; the older policies service then answers 410. */
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

const MAX_RULES = 200;

/** Open findings per rule, for the rules with the most findings. */
export const openFindingsByRuleQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'counts', 'open-by-rule'],
    queryFn: async ({ signal }) => {
      const body = { q: 'is:open', groupBy: 'GROUP_BY_RULE' as const, limit: MAX_RULES, cursor: '' };
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

/** The built-in rulesets. */
export const BUILT_IN_RULESETS = [
  'parapet',
  'default',
  'owasp-top-ten',
  'secrets',
  'javascript',
  'typescript',
  'python',
  'go',
  'java',
];

const rulesOfRuleset = async (name: string, signal: AbortSignal): Promise<DeliveredRule[]> =>
  ((await registry.getRuleset({ path: { name } }, { signal })) as unknown as { rules: DeliveredRule[] }).rules;

interface DeliveredRule extends LibraryRule {
  metadata?: { product?: string };
}

/** The rules of a built-in ruleset by its path; none if the server does not know it. */
export const rulesetQuery = (path: string) =>
  queryOptions({
    queryKey: ['ruleset', path],
    queryFn: async ({ signal }): Promise<{ id: string; product: string }[]> => {
      try {
        const rules = await rulesOfRuleset(path.replace(/^p\//, ''), signal);
        return rules.map(({ id, metadata }) => ({ id, product: metadata?.product ?? 'sast' }));
      } catch (error) {
        if (asProblem(error).body.status === 404) return [];
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The built-in rules. */
export const ruleLibraryQuery = queryOptions({
  queryKey: ['rule-library'],
  queryFn: ({ signal }): Promise<LibraryRule[]> => rulesOfRuleset('parapet', signal),
  staleTime: Number.POSITIVE_INFINITY,
});
