import { canGrant } from '#domain/access/roles.ts';
import * as accounts from '#domain/accounts/store.ts';
import { DEPLOYMENTS_RESTRICTED } from '#domain/deployments/shape.ts';
import * as deployments from '#domain/deployments/store.ts';
import { inviteAll } from '#domain/invitations/invite-all.ts';
import { endMembership } from '#domain/provisioning/end-membership.ts';
import { provisionDeployment } from '#domain/provisioning/provision-deployment.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { Page } from '#kernel/db/query/page.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { legacyDeploymentOf, parseUserSort } from './rules.ts';
import * as store from './store.ts';
import * as users from './users.ts';

type Context = Pick<Call, 'tx' | 'services'>;

async function findDeployment({ tx, services }: Context, id: string) {
  const found = await deployments.find(tx, id, services.version);
  if (!found) throw NOT_FOUND();
  return found;
}

const answerDeployment = async (tools: Context, id: string) => ({
  deployment: (await findDeployment(tools, id)).deployment,
});

/** Changes a deployment after checking the expected version, and returns it. */
async function change(call: Context & Pick<Call, 'answer'>, id: string, changes: store.DeploymentChange) {
  await deployments.lock(call.tx, id);
  const before = await findDeployment(call, id);
  call.answer.expectVersion(before.version);
  await store.update(call.tx, id, changes);
  const after = await findDeployment(call, id);
  call.answer.setEtag(after.version);
  call.answer.recordEffect({ object: `deployment/${id}`, before: before.deployment, after: after.deployment });
  return after.deployment;
}

function requireGrant(caller: Caller, ...roles: string[]): void {
  for (const role of roles) if (!canGrant(caller.role, role)) throw contract.ROLE_ABOVE_OWN({ role });
}

/** The deployment of the credential: that of the token, or the one that the account joined first. */
async function homeOf({ tx, caller }: Pick<Call, 'tx' | 'caller'>): Promise<string> {
  const home = caller.deployment || (await accounts.findFirstMembership(tx, caller.userId))?.deployment;
  if (!home) throw NOT_FOUND();
  return home;
}

/** DeploymentService: deployments, their features and their users. */
export const deploymentGroup = group(
  'DeploymentService',
  contract,
  {
    getDeploymentByToken: async (call) => {
      const { deployment } = await findDeployment(call, await homeOf(call));
      return { deployment: legacyDeploymentOf(deployment) };
    },

    createDeployment: async (call) => {
      const { body, tx, caller, services, answer } = call;
      const perPerson = services.deploymentsPerPerson;
      const { created: existing, most } = await deployments.lockCreator(tx, caller.userId, { perPerson });
      if (most === 0) throw DEPLOYMENTS_RESTRICTED();
      if (existing >= most) throw contract.DEPLOYMENT_QUOTA({ most });
      const id = await provisionDeployment(tx, services.keys, {
        name: body.deploymentName.trim(),
        account: caller.userId,
      });
      const created = await answerDeployment(call, id);
      answer.recordEffect({ object: `deployment/${id}`, after: created.deployment });
      return created;
    },

    getDeployment: async (call) => {
      const { deployment, version } = await findDeployment(call, call.path.deploymentId);
      call.answer.setEtag(version);
      return { deployment: legacyDeploymentOf(deployment) };
    },

    updateDeployment: async (call) => {
      const { displayName, defaultUserRole } = call.body;
      if (defaultUserRole !== undefined) requireGrant(call.caller, defaultUserRole);
      const changes = { displayName: displayName?.trim(), defaultUserRole };
      return { deployment: await change(call, call.path.deploymentId, changes) };
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
      const entry = { deployment: path.deploymentId, account: caller.userId, featureAction, text: feedback };
      answer.recordEffect({ object: `product_feedback/${await store.insertFeedback(tx, entry)}`, after: entry });
      return {};
    },

    getDeploymentUsers: async ({ query, tx, caller }) => {
      const rows = await users.list(tx, caller, { sort: parseUserSort(), isActiveOnly: query.showActive });
      return { users: rows };
    },

    addDeploymentUser: async (call) => {
      const { deployment } = await answerDeployment(call, call.path.deploymentId);
      const { email, name, role = deployment.features.defaultUserRole } = call.body;
      if (email === undefined) return { deployment };
      requireGrant(call.caller, role);
      const { invited } = await inviteAll(call, { emails: [email], role, name: name?.trim() });
      if (invited.length === 0) throw contract.ALREADY_MEMBER({ email });
      return { deployment, invitationLink: invited[0]?.link };
    },

    listDeploymentUsers: async ({ path, body, tx, caller, services, now }) => {
      const { pageToken = '', pageSize = 100, sortBy } = body.options ?? {};
      const { query, showActive, filterMembers, memberIds } = body.filters ?? {};
      const page = new Page({
        scope: { operation: 'listDeploymentUsers', deployment: path.deploymentId, filter: [sortBy, body.filters] },
        key: services.keys.derive('cursor'),
        cursor: pageToken,
        limit: pageSize,
        offset: 0,
        now: now.getTime(),
      });
      const rows = await users.list(tx, caller, {
        sort: parseUserSort(sortBy),
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
      const { path, query, tx, caller, answer } = call;
      const member = { deployment: path.deploymentId, account: path.userId };
      const role = await accounts.lockMemberRole(tx, member);
      if (role === undefined) throw NOT_FOUND();
      requireGrant(caller, role);
      const ended = await endMembership(tx, {
        ...member,
        tokensTo: query.keepTokens ? caller.userId : undefined,
        endsSessions: !query.keepSessions,
      });
      answer.recordEffect({ object: `membership/${path.userId}`, before: { role }, after: ended });
      return answerDeployment(call, path.deploymentId);
    },

    patchDeploymentUser: async ({ path, body, tx, caller, answer }) => {
      const member = { deployment: path.deploymentId, account: path.userId };
      const before = await accounts.lockMemberRole(tx, member);
      if (before === undefined) throw NOT_FOUND();
      requireGrant(caller, before, body.newRole);
      await accounts.changeRole(tx, member, body.newRole);
      answer.recordEffect({
        object: `membership/${path.userId}`,
        before: { role: before },
        after: { role: body.newRole },
      });
      return {};
    },
  },
  {
    objects: {
      userId: async (tx, { deployment, id }) =>
        (await accounts.isMember(tx, { deployment, account: id })) ? new Set<string>() : undefined,
    },
  },
);
