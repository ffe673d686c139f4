import { z } from 'zod';
import { Ruleboard, RuleboardEntry, RuleboardRepository, RulePath } from '#domain/policies/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { count, deployment, name, oneOf, slug, timestamp } from '#kernel/contract/proto-fields.ts';

export const MAX_RULEBOARD_CHANGES = 1000;
export const MAX_ASSIGNED_PROJECTS = 1000;

export const RULEBOARD_NAME_TAKEN = fault(
  'RULEBOARD_NAME_TAKEN',
  409,
  'A ruleboard named {name} already exists.',
  'Choose another name, or use the existing board.',
);
export const RULEBOARD_QUOTA = fault(
  'RULEBOARD_QUOTA',
  409,
  'A deployment can have at most {most} ruleboards.',
  'Delete boards first.',
);
export const RULEBOARD_FULL = fault(
  'RULEBOARD_FULL',
  409,
  'A ruleboard can hold at most {most} rules and rulesets.',
  'Add rulesets instead of their single rules, or use another board.',
);
export const DEFAULT_RULEBOARD = fault(
  'DEFAULT_RULEBOARD',
  409,
  'The default board applies to all projects: it cannot be deleted or assigned projects.',
  'Use another board for single projects; its rules are added to those of the default board.',
);
export const RULEBOARD_CHANGE_REFUSED = fault(
  'RULEBOARD_CHANGE_REFUSED',
  400,
  'The change to the ruleboard has {count}: {first}',
  'Correct each entry listed in `errors`, which names the allowed values; nothing was changed.',
);
export const TIME_PERIOD_REFUSED = fault(
  'TIME_PERIOD_REFUSED',
  400,
  'The time period ends before it starts.',
  'Give a `since` that is not later than `until`.',
);

export const RuleboardChange = z.object({
  item: z.object({ id: RulePath, type: z.string().max(64) }),
  policy: z.string().max(64).optional(),
  update_type: z.string().max(64),
});

export const AssignedProjects = z.array(z.string().min(1).max(512)).max(MAX_ASSIGNED_PROJECTS);

const base = '/api/agent/deployments/{deploymentId}/ruleboards';
const path = { deploymentId: deployment() };
const boardPath = { ...path, ruleboardSlug: slug('Ruleboard') };

export const listRuleboards = operation({
  route: `GET ${base}`,
  summary: 'List ruleboards',
  description: 'Default boards first, then the others in order of creation; without `type`, boards of all types.',
  maturity: 'experimental',
  allow: 'policy:read',
  path,
  query: {
    type: oneOf(['RULEBOARD_TYPE_UNSPECIFIED', 'RULEBOARD_TYPE_SAST', 'RULEBOARD_TYPE_SECRETS']).optional(),
  },
  reply: { ruleboards: z.array(Ruleboard) },
});

export const createRuleboard = operation({
  route: `POST ${base}`,
  summary: 'Create ruleboard',
  description:
    'Creates a board for code rules. `assigned_repos` takes ids or names of projects; a project is on one such ' +
    'board, so it leaves its previous one. The rules of the board are added to those of the default board: for a ' +
    'rule on both, block wins over comment, and comment over monitor. The slug is derived from the name and never ' +
    'changes.',
  maturity: 'experimental',
  allow: 'policy:manage',
  path,
  body: { name: name(), assigned_repos: AssignedProjects.optional() },
  reply: Ruleboard.shape,
  faults: [RULEBOARD_NAME_TAKEN, RULEBOARD_QUOTA, RULEBOARD_CHANGE_REFUSED],
});

export const deleteRuleboard = operation({
  route: `DELETE ${base}/{ruleboardSlug}`,
  summary: 'Delete a ruleboard',
  description: 'The default board still applies to its projects.',
  maturity: 'experimental',
  allow: 'policy:manage',
  status: 204,
  path: boardPath,
  reply: {},
  faults: [DEFAULT_RULEBOARD],
  isVersioned: true,
});

export const getRuleboard = operation({
  route: `GET ${base}/{ruleboardSlug}`,
  summary: 'Get the rules of a ruleboard',
  maturity: 'experimental',
  allow: 'policy:read',
  path: boardPath,
  reply: { rules: z.array(RuleboardEntry) },
  isVersioned: true,
});

export const updateRuleboard = operation({
  route: `PUT ${base}/{ruleboardSlug}`,
  summary: 'Update ruleboard',
  description:
    '`item.type` is rule or ruleset (or pack). `policy` is the column: rule-board-audit, rule-board-pr-comments, ' +
    'rule-board-block or rule-board-disabled, on boards for secrets rule-board-secrets-audit and so on. ' +
    '`update_type` is add (adds the item, or moves it to the column), update (or move: the item must be on the ' +
    'board) or remove (or delete: the item need not be on the board). Case is ignored. Either all changes apply, or ' +
    'none; the reply is the whole board.',
  maturity: 'experimental',
  allow: 'policy:manage',
  path: boardPath,
  body: { changes: z.array(RuleboardChange).max(MAX_RULEBOARD_CHANGES) },
  reply: { rules: z.array(RuleboardEntry) },
  faults: [RULEBOARD_CHANGE_REFUSED, RULEBOARD_FULL],
  isVersioned: true,
});

export const RuleFindingCount = z.object({
  ruleName: z.string(),
  open: count(),
  total: count(),
  fixRate: z.number(),
  ignoreRate: z.number(),
});

export const getRuleboardFindingCounts = operation({
  route: `GET ${base}/{ruleboardSlug}/finding_counts`,
  summary: 'Count the findings of the rules of a ruleboard',
  description:
    'One item for each rule of the board and of its rulesets, in order of their paths, including rules without ' +
    'findings. Counts the findings in the projects of the board that the caller sees; a default board has all ' +
    'projects. `since` and `until` restrict the time from which they are relevant. The rates are fractions of ' +
    '`total`, from 0 to 1.',
  maturity: 'experimental',
  allow: 'policy:read',
  path: boardPath,
  query: { since: timestamp().optional(), until: timestamp().optional() },
  reply: { items: z.array(RuleFindingCount) },
  faults: [TIME_PERIOD_REFUSED],
});

export const getRuleboardOverview = operation({
  route: `GET ${base}/{ruleboardSlug}/overview`,
  summary: 'Get the name and the projects of a ruleboard',
  maturity: 'experimental',
  allow: 'policy:read',
  path: boardPath,
  reply: {
    name: z.string(),
    slug: z.string(),
    default: z.boolean(),
    assigned_repo_items: z.array(RuleboardRepository),
  },
  isVersioned: true,
});

export const updateRuleboardOverview = operation({
  route: `PUT ${base}/{ruleboardSlug}/overview`,
  summary: 'Change the name and the projects of a ruleboard',
  description: '`assigned_repos` replaces the whole list. Absent members are unchanged.',
  maturity: 'experimental',
  allow: 'policy:manage',
  path: boardPath,
  body: { name: name().optional(), assigned_repos: AssignedProjects.optional() },
  reply: Ruleboard.shape,
  faults: [RULEBOARD_NAME_TAKEN, RULEBOARD_CHANGE_REFUSED, DEFAULT_RULEBOARD],
  isVersioned: true,
});
