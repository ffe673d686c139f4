import { type LooseObject, object, objects, text } from '#domain/reports/json/loose-values.ts';
import { MAX_RULEBOARD_CHANGES } from '#services/ruleboard/contract.ts';
import { problemOf, TargetRefusal } from './move-target.ts';
import type { OrganizationMove } from './move-teams.ts';
import { idOf, type SemgrepSource } from './semgrep-source.ts';
import { RemoteFailure } from './source-api.ts';

const PAGE = 1000;
const COLUMNS: Record<string, string> = {
  MODE_MONITOR: 'audit',
  MODE_COMMENT: 'pr-comments',
  MODE_BLOCK: 'block',
  MODE_DISABLED: 'disabled',
};

interface RuleChange {
  item: { id: string; type: string };
  policy: string;
  update_type: string;
}

/** Gives the rules of each policy the same mode here. Rules that are here only keep theirs. */
export async function movePolicies(move: OrganizationMove): Promise<void> {
  const { source, tally } = move;
  const base = `/api/v1/deployments/${source.deployment.id}/policies`;
  try {
    for (const policy of objects(object(await source.api.get(base))['policies'])) await movePolicy(move, base, policy);
  } catch (error) {
    if (!(error instanceof RemoteFailure) || error instanceof TargetRefusal) throw error;
    if (![403, 404, 410].includes(error.status)) throw error;
    tally.leave('policies, which Semgrep does not give by this interface for this deployment');
  }
}

async function movePolicy(move: OrganizationMove, base: string, policy: LooseObject): Promise<void> {
  const { source, tally, isDryRun } = move;
  const isSecrets = policy['productType'] === 'PRODUCT_TYPE_SECRETS';
  const changes: RuleChange[] = [];
  let cursor = '';
  do {
    const query = { limit: PAGE, ...(cursor !== '' && { cursor }) };
    const page = object(await source.api.get(`${base}/${idOf(policy['id'])}`, query));
    for (const rule of objects(page['rules'])) {
      const column = COLUMNS[text(rule['policyMode']) ?? ''];
      const path = text(rule['path']) ?? '';
      if (column === undefined || !/^[!-~]{1,256}$/.test(path)) tally.leave('rules of policies without a usable path');
      else
        changes.push({
          item: { id: path, type: 'rule' },
          policy: `rule-board-${isSecrets ? 'secrets-' : ''}${column}`,
          update_type: 'add',
        });
    }
    const next = text(page['cursor']) ?? '';
    cursor = next === cursor ? '' : next;
  } while (cursor !== '');
  if (isDryRun) {
    tally.carry('policies');
    tally.carry('rules of policies', changes.length);
  } else await savePolicy(move, policy, changes);
}

async function savePolicy(move: OrganizationMove, policy: LooseObject, changes: readonly RuleChange[]): Promise<void> {
  const { target, tally } = move;
  const board = await findBoard(move, policy);
  if (board === undefined) return;
  const path = { deploymentId: target.deployment.id, ruleboardSlug: board.slug };
  for (let at = 0; at < changes.length; at += MAX_RULEBOARD_CHANGES) {
    const part = changes.slice(at, at + MAX_RULEBOARD_CHANGES);
    const reply = await target.try(({ ruleboards }) => ruleboards.updateRuleboard({ path, body: { changes: part } }));
    if (reply.status === 200) tally.carry('rules of policies', part.length);
    else tally.fail(`rules of the policy ${board.slug}: ${problemOf(reply)}`, part.length);
  }
  tally.carry('policies');
  tally.leave('rules that this server has no definition of; add them with your rules', await countUnknown(move, board));
}

/** The default policy of the same product, the one of the same name, or a new one. */
async function findBoard(
  { source, target, tally }: OrganizationMove,
  policy: LooseObject,
): Promise<{ slug: string; id: string } | undefined> {
  const name = text(policy['name']) ?? '';
  const path = { deploymentId: target.deployment.id };
  const list = () => target.call('the list of policies', ({ policies }) => policies.listPoliciesV1({ path }));
  const sameProduct = (await list()).body.policies.filter((one) => one.productType === policy['productType']);
  const isSame = (one: (typeof sameProduct)[number]) =>
    policy['isDefault'] === true ? one.isDefault : one.name.toLowerCase() === name.toLowerCase();
  const known = sameProduct.find(isSame);
  if (known || policy['productType'] === 'PRODUCT_TYPE_SECRETS') return known;
  const body = { name, assigned_repos: await assignedProjects(source, policy) };
  const created = await target.try(({ ruleboards }) => ruleboards.createRuleboard({ path, body }));
  if (created.status >= 300) tally.fail(`policy ${name}: ${problemOf(created)}`);
  return (await list()).body.policies.find((one) => one.name.toLowerCase() === name.toLowerCase());
}

/** Names of projects that the policy applies to there and that are moved. */
async function assignedProjects({ api, deployment, projectNames }: SemgrepSource, policy: LooseObject) {
  const path = `/api/agent/deployments/${deployment.id}/ruleboards/${encodeURIComponent(text(policy['slug']) ?? '')}`;
  const overview = await api.get(`${path}/overview`).catch((error: unknown) => {
    if (error instanceof RemoteFailure && [403, 404, 410].includes(error.status)) return {};
    throw error;
  });
  const moved = new Set(projectNames.values());
  return objects(object(overview)['assigned_repo_items'])
    .map((item) => text(item['name']) ?? '')
    .filter((name) => moved.has(name));
}

async function countUnknown({ target }: OrganizationMove, { id }: { id: string }): Promise<number> {
  const path = { deploymentId: target.deployment.id, policyId: id };
  let [unknown, cursor] = [0, ''];
  do {
    const query = { limit: '2000', cursor };
    const page = await target.call('the rules of a policy', ({ policies }) =>
      policies.listPolicyRulesV1({ path, query }),
    );
    unknown += page.body.rules.filter(({ severity }) => severity === 'SEVERITY_UNSPECIFIED').length;
    cursor = page.body.cursor ?? '';
  } while (cursor !== '');
  return unknown;
}
