import { mayGrant } from '#domain/access/roles.ts';
import { MOST_DEPLOYMENTS } from '#domain/deployments/shape.ts';
import * as deployments from '#domain/deployments/store.ts';
import { found } from '#domain/founding/found.ts';
import { accountOfEmail } from '#domain/people/inviting.ts';
import * as people from '#domain/people/store.ts';
import { welcome } from '#domain/teams/joining.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { Page } from '#kernel/db/page.ts';
import { type Call, group } from '#kernel/http/group.ts';
import * as contract from './contract.ts';
import * as users from './people.ts';
import { nameOfEmail, plainOf, sortOf } from './rules.ts';
import * as store from './store.ts';

type Tools = Pick<Call, 'tx' | 'powers'>;

async function findDeployment({ tx, powers }: Tools, id: string) {
  const found = await deployments.find(tx, id, powers.version);
  if (!found) throw NOT_FOUND();
  return found;
}

const answerDeployment = async (tools: Tools, id: string) => ({
  deployment: (await findDeployment(tools, id)).deployment,
});

/** Changes a deployment whose present version the caller may have named; gives what it is then. */
async function change(call: Tools & Pick<Call, 'answer'>, id: string, wish: store.Change) {
  await deployments.lock(call.tx, id);
  const before = await findDeployment(call, id);
  call.answer.expectVersion(before.version);
  await store.update(call.tx, id, wish);
  const after = await findDeployment(call, id);
  call.answer.tag(after.version);
  call.answer.changed({ object: `deployment/${id}`, before: before.deployment, after: after.deployment });
  return after.deployment;
}

function requireGrant(caller: Caller, ...roles: string[]): void {
  for (const role of roles) if (!mayGrant(caller.role, role)) throw contract.ROLE_ABOVE_OWN({ role });
}

/** The deployment of the credential: a token's own, or the one that a person joined first. */
async function homeOf({ tx, caller }: Pick<Call, 'tx' | 'caller'>): Promise<string> {
  const home = caller.deployment || (await people.firstRole(tx, caller.userId))?.deployment;
  if (!home) throw NOT_FOUND();
  return home;
}

/** DeploymentService: organizations, their switches and their people. */
export const deploymentGroup = group(
  'DeploymentService',
  contract,
  {
    getDeploymentByToken: async (call) => {
      const { deployment } = await findDeployment(call, await homeOf(call));
      return { deployment: plainOf(deployment) };
    },

    createDeployment: async (call) => {
      const { body, tx, caller, powers, answer } = call;
      if ((await deployments.countFounded(tx, caller.userId)) >= MOST_DEPLOYMENTS)
        throw contract.DEPLOYMENT_QUOTA({ most: MOST_DEPLOYMENTS });
      const id = await found(tx, powers.keys, { name: body.deploymentName.trim(), account: caller.userId });
      const made = await answerDeployment(call, id);
      answer.changed({ object: `deployment/${id}`, after: made.deployment });
      return made;
    },

    getDeployment: async (call) => {
      const { deployment, version } = await findDeployment(call, call.path.deploymentId);
      call.answer.tag(version);
      return { deployment: plainOf(deployment) };
    },

    updateDeployment: async (call) => {
      const { displayName, defaultUserRole } = call.body;
      if (defaultUserRole !== undefined) requireGrant(call.caller, defaultUserRole);
      const wish = { displayName: displayName?.trim(), defaultUserRole };
      return { deployment: await change(call, call.path.deploymentId, wish) };
    },

    getDeploymentAuthorizedActions: async ({ caller }) => ({ authorized_actions: [...caller.permissions].sort() }),

    getDeploymentDefaultUserRole: async (call) => {
      const { deployment } = await findDeployment(call, call.path.deploymentId);
      return { defaultUserRole: deployment.features.defaultUserRole };
    },

    getDeploymentGitHubAppStatus: async () => ({ github_app_status: false }),

    updateDeploymentHasDeepscan: async (call) => {
      const { features } = await change(call, call.path.deploymentId, { hasDeepscan: call.body.has_deepscan });
      return { has_deepscan: features.hasDeepscan };
    },

    updateDeploymentHasDependencyQuery: async (call) => {
      const { hasDependencyQuery } = call.body;
      const { features } = await change(call, call.path.deploymentId, { hasDependencyQuery });
      return { hasDependencyQuery: features.hasDependencyQuery };
    },

    updateDeploymentHasTriageViaComment: async (call) => {
      const { hasTriageViaComment } = call.body;
      const { features } = await change(call, call.path.deploymentId, { hasTriageViaComment });
      return { hasTriageViaComment: features.hasTriageViaComment };
    },

    sendDeploymentToggleFeedback: async ({ path, body, tx, caller, answer }) => {
      const { featureAction, feedback } = body;
      const made = { deployment: path.deploymentId, account: caller.userId, featureAction, text: feedback };
      answer.changed({ object: `product_feedback/${await store.insertFeedback(tx, made)}`, after: made });
      return {};
    },

    getDeploymentUsers: async ({ query, tx, caller }) => {
      const rows = await users.list(tx, caller, { sort: sortOf(), isActiveOnly: query.showActive });
      return { users: rows };
    },

    addDeploymentUser: async (call) => {
      const { path, body, tx, caller, answer } = call;
      const { deployment } = await answerDeployment(call, path.deploymentId);
      const { email, role = deployment.features.defaultUserRole } = body;
      if (email === undefined) return { deployment };
      requireGrant(caller, role);
      await deployments.lock(tx, path.deploymentId);
      const account = await accountOfEmail(tx, { email, name: body.name?.trim() ?? nameOfEmail(email) });
      const member = { deployment: path.deploymentId, account };
      if ((await people.lockRole(tx, member)) !== undefined) throw contract.ALREADY_MEMBER({ email });
      await welcome(tx, { ...member, role });
      answer.changed({ object: `membership/${account}`, after: { email, role } });
      return { deployment };
    },

    listDeploymentUsers: async ({ path, body, tx, caller, powers, now }) => {
      const { pageToken = '', pageSize = 100, sortBy } = body.options ?? {};
      const { query, showActive, filterMembers, memberIds } = body.filters ?? {};
      const page = new Page({
        scope: { operation: 'listDeploymentUsers', deployment: path.deploymentId, filter: [sortBy, body.filters] },
        key: powers.keys.derive('cursor'),
        cursor: pageToken,
        limit: pageSize,
        offset: 0,
        now: now.getTime(),
      });
      const rows = await users.list(tx, caller, {
        sort: sortOf(sortBy),
        query,
        isActiveOnly: showActive,
        isAdministrator: filterMembers && filterMembers === 'MEMBER_FILTER_TYPE_ADMIN_ONLY',
        ids: memberIds,
        after: page.window.after,
        limit: page.window.limit + 1,
      });
      const { items, cursor } = page.close(rows, ({ sort_key, id }) => [sort_key, id]);
      return { users: items, pageToken: cursor };
    },

    removeDeploymentUser: async (call) => {
      const { path, tx, caller, answer } = call;
      const member = { deployment: path.deploymentId, account: path.userId };
      const role = await people.lockRole(tx, member);
      if (role === undefined) throw NOT_FOUND();
      requireGrant(caller, role);
      await people.leave(tx, member);
      answer.changed({ object: `membership/${path.userId}`, before: { role } });
      return answerDeployment(call, path.deploymentId);
    },

    patchDeploymentUser: async ({ path, body, tx, caller, answer }) => {
      const member = { deployment: path.deploymentId, account: path.userId };
      const before = await people.lockRole(tx, member);
      if (before === undefined) throw NOT_FOUND();
      requireGrant(caller, before, body.newRole);
      await people.changeRole(tx, member, body.newRole);
      answer.changed({ object: `membership/${path.userId}`, before: { role: before }, after: { role: body.newRole } });
      return {};
    },
  },
  {
    objects: {
      userId: async (tx, { deployment, id }) =>
        (await store.isMember(tx, deployment, id)) ? new Set<string>() : undefined,
    },
  },
);
