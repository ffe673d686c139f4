import * as items from '#domain/policies/ruleboard-items.ts';
import * as boards from '#domain/policies/ruleboards.ts';
import type { RuleboardProduct } from '#domain/policies/shape.ts';
import { lockPolicies, refuseTokensAfterMigration } from '#domain/policies/unified-policies.ts';
import { scmTypeOf } from '#domain/projects/rules.ts';
import { expandRulesets } from '#domain/rules/board-rules.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { changeItems, resolveAssignedProjects } from './change-ruleboard.ts';
import * as contract from './contract.ts';
import { countFindings } from './finding-counts.ts';

const PRODUCT_OF: Record<string, RuleboardProduct> = { RULEBOARD_TYPE_SAST: 'sast', RULEBOARD_TYPE_SECRETS: 'secrets' };

async function boardOf({ tx, caller }: Pick<Call, 'tx' | 'caller'>, slug: string): Promise<boards.RuleboardRecord> {
  const board = await boards.find(tx, caller, slug);
  if (!board) throw NOT_FOUND();
  return board;
}

async function loadRuleboard({ tx, caller }: Pick<Call, 'tx' | 'caller'>, board: boards.RuleboardRecord) {
  const ruleboard = await boards.findForCaller(tx, caller, board.id);
  if (!ruleboard) throw NOT_FOUND();
  return ruleboard;
}

/** RuleboardService: the rules of projects and their modes. */
export const ruleboard = group(
  'RuleboardService',
  contract,
  {
    listRuleboards: async ({ query, tx, caller }) => ({
      ruleboards: await boards.listForCaller(tx, caller, PRODUCT_OF[query.type ?? '']),
    }),

    createRuleboard: async ({ path, body, tx, caller, answer }) => {
      const name = body.name.trim();
      await lockPolicies(tx, caller.deployment);
      const projects = await resolveAssignedProjects({ tx, caller }, body.assigned_repos ?? []);
      if ((await boards.countAll(tx, path.deploymentId)) >= boards.MAX_RULEBOARDS)
        throw contract.RULEBOARD_QUOTA({ most: boards.MAX_RULEBOARDS });
      const board = await boards.insert(tx, { deployment: path.deploymentId, product: 'sast', name });
      if (!board) throw contract.RULEBOARD_NAME_TAKEN({ name });
      const left = await boards.assignProjects(tx, path.deploymentId, board, projects);
      const created = await loadRuleboard({ tx, caller }, board);
      answer.recordEffect({ object: `ruleboard/${board.slug}`, after: { ...created, left } });
      return created;
    },

    deleteRuleboard: async ({ path, tx, caller, answer }) => {
      await lockPolicies(tx, caller.deployment);
      const board = await boards.lock(tx, path.deploymentId, path.ruleboardSlug);
      if (!board) throw NOT_FOUND();
      if (board.isDefault) throw contract.DEFAULT_RULEBOARD();
      answer.expectVersion(board.version);
      const before = await loadRuleboard({ tx, caller }, board);
      const rules = await items.list(tx, { deployment: path.deploymentId, board: board.id });
      await boards.remove(tx, path.deploymentId, board.id);
      const entries = rules.map((item) => items.entryOf(board.product, item));
      answer.recordEffect({ object: `ruleboard/${board.slug}`, before: { ...before, rules: entries } });
      return {};
    },

    getRuleboard: async ({ path, tx, caller, answer }) => {
      const board = await boardOf({ tx, caller }, path.ruleboardSlug);
      const rules = await items.list(tx, { deployment: path.deploymentId, board: board.id });
      answer.setEtag(board.version);
      return { rules: rules.map((item) => items.entryOf(board.product, item)) };
    },

    updateRuleboard: ({ path, body, tx, caller, answer }) =>
      changeItems({ tx, caller, answer }, path.ruleboardSlug, body.changes),

    getRuleboardFindingCounts: async ({ path, query, tx, caller, now }) => {
      const { since, until } = query;
      if (since && until && since > until) throw contract.TIME_PERIOD_REFUSED();
      const board = await boardOf({ tx, caller }, path.ruleboardSlug);
      const all = await items.list(tx, { deployment: path.deploymentId, board: board.id });
      const rules = expandRulesets(board.product, all).map((rule) => rule.path);
      return { items: await countFindings(tx, board, { rules, asking: { caller, now }, since, until }) };
    },

    getRuleboardOverview: async ({ path, tx, caller, answer }) => {
      const board = await boardOf({ tx, caller }, path.ruleboardSlug);
      const projects = await boards.listProjects(tx, caller, board.id);
      answer.setEtag(board.version);
      return {
        name: board.name,
        slug: board.slug,
        default: board.isDefault,
        assigned_repo_items: projects.map(({ id, name, tags, url }) => ({
          id: id as Id<'Project'>,
          name,
          tags,
          scmType: scmTypeOf(url),
        })),
      };
    },

    updateRuleboardOverview: async ({ path, body, tx, caller, answer }) => {
      await lockPolicies(tx, caller.deployment);
      const board = await boards.lock(tx, path.deploymentId, path.ruleboardSlug);
      if (!board) throw NOT_FOUND();
      answer.expectVersion(board.version);
      const assigned = body.assigned_repos;
      if (board.isDefault && assigned && assigned.length > 0) throw contract.DEFAULT_RULEBOARD();
      const before = await loadRuleboard({ tx, caller }, board);
      const projects = assigned && (await resolveAssignedProjects({ tx, caller }, assigned));
      const name = body.name?.trim();
      const isFree =
        name === undefined || (await boards.rename(tx, { deployment: path.deploymentId, id: board.id, name }));
      if (!isFree) throw contract.RULEBOARD_NAME_TAKEN({ name: name ?? '' });
      const left = projects ? await boards.assignProjects(tx, path.deploymentId, board, projects) : [];
      answer.setEtag(await boards.incrementVersion(tx, path.deploymentId, board.id));
      const after = await loadRuleboard({ tx, caller }, board);
      answer.recordEffect({ object: `ruleboard/${board.slug}`, before, after: { ...after, left } });
      return after;
    },
  },
  {
    objects: {
      ruleboardSlug: async (tx, { caller, id }) =>
        (await boards.find(tx, caller, id)) ? new Set<string>() : undefined,
    },
    gates: [refuseTokensAfterMigration],
  },
);
