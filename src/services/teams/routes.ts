import * as deployments from '#domain/deployments/store.ts';
import * as store from '#domain/teams/store.ts';
import { listAsJson } from '#domain/teams/team-list.ts';
import * as reach from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group, PrebuiltReply } from '#kernel/http/pipeline/group.ts';
import { applyListPlans, planErrors } from './change-team.ts';
import * as contract from './contract.ts';
import { explainProjectAccess } from './explain-access.ts';
import { planTeamList } from './rules.ts';

const isAbsent = (id: string | undefined) => id === undefined || id === '0';

async function replyWithTeam(call: Pick<Call, 'tx' | 'caller' | 'answer'>, id: string) {
  const found = await store.find(call.tx, call.caller, id);
  if (!found) throw NOT_FOUND();
  const { version, ...team } = found;
  call.answer.setEtag(version);
  return { team };
}

/** Locks the parent, so that it cannot be deleted while a child is added. */
async function lockParent(tx: Tx, caller: Caller, parent: string): Promise<FieldError[]> {
  const pointer = '#/team/parentTeamId';
  const found = await store.lockTeam(tx, caller.deployment, parent);
  if (!found) return [{ pointer, code: 'UNKNOWN_REFERENCE', detail: 'is not a team of this deployment' }];
  const detail = `would make a team of level ${found.depth + 1}; the deepest is ${contract.MAX_TEAM_DEPTH}`;
  return found.depth >= contract.MAX_TEAM_DEPTH ? [{ pointer, code: 'TOO_DEEP', detail }] : [];
}

/** TeamsService: teams, their members and their repositories. */
export const teams = group(
  'TeamsService',
  contract,
  {
    checkRbacStatus: async ({ path, tx }) => {
      const { isEnabled, isSelfServe } = await deployments.findTeamAccess(tx, path.deploymentId);
      return { deploymentId: path.deploymentId, enabled: isEnabled, selfServeEnabled: isSelfServe };
    },

    createDeploymentTeam: async ({ path, body, tx, caller, answer }) => {
      const { team } = body;
      const parent = isAbsent(team.parentTeamId) ? undefined : team.parentTeamId;
      const users = planTeamList(
        (team.users ?? []).map(({ userId, role }) => ({ id: userId, role })),
        {
          pointer: '#/team/users',
          hasRoles: true,
        },
      );
      const repositories = planTeamList(
        (team.repositoryIds ?? []).map((id) => ({ id })),
        {
          pointer: '#/team/repositoryIds',
          hasRoles: false,
        },
      );
      await deployments.lock(tx, path.deploymentId);
      const errors = parent === undefined ? [] : await lockParent(tx, caller, parent);
      refuseFieldErrors(contract.TEAM_CHANGE_REFUSED, [
        ...errors,
        ...(await planErrors(tx, caller, { users, repositories })),
      ]);
      if ((await store.countAll(tx, path.deploymentId)) >= contract.MAX_TEAMS)
        throw contract.TEAM_QUOTA({ most: contract.MAX_TEAMS });
      const created = await store.insert(tx, { deployment: path.deploymentId, name: team.name.trim(), parent });
      if (created === undefined) throw contract.TEAM_NAME_TAKEN({ name: team.name });
      await applyListPlans(tx, { deployment: path.deploymentId, team: created }, { users, repositories });
      answer.recordEffect({ object: `team/${created}`, after: team });
      return replyWithTeam({ tx, caller, answer }, created);
    },

    listDeploymentTeams: async ({ body, page, tx, caller }) => {
      const { items, hasMore, last } = await listAsJson(tx, caller, body.filter?.name ?? '', page.window);
      return new PrebuiltReply(`{"teams":${items},"cursor":${JSON.stringify(page.end(hasMore, last))}}`);
    },

    getDeploymentTeam: ({ path, tx, caller, answer }) => replyWithTeam({ tx, caller, answer }, path.teamId),

    updateDeploymentTeam: async ({ path, body, tx, caller, answer }) => {
      const teamRef = { deployment: path.deploymentId, team: path.teamId };
      const { name, users, repositories } = body.team;
      if (name !== undefined) await deployments.lock(tx, path.deploymentId);
      if (!(await store.lockTeam(tx, teamRef.deployment, teamRef.team))) throw NOT_FOUND();
      const before = await store.find(tx, caller, path.teamId);
      if (!before) throw NOT_FOUND();
      answer.expectVersion(before.version);
      const plans = {
        users:
          users &&
          planTeamList(
            users.map(({ userId, ...change }) => ({ id: userId, ...change })),
            {
              pointer: '#/team/users',
              hasRoles: true,
            },
          ),
        repositories:
          repositories &&
          planTeamList(
            repositories.map(({ repositoryId, ...change }) => ({ id: repositoryId, ...change })),
            {
              pointer: '#/team/repositories',
              hasRoles: false,
            },
          ),
      };
      refuseFieldErrors(contract.TEAM_CHANGE_REFUSED, await planErrors(tx, caller, plans));
      if (
        name !== undefined &&
        !(await store.rename(tx, { deployment: teamRef.deployment, id: teamRef.team, name: name.trim() }))
      )
        throw contract.TEAM_NAME_TAKEN({ name });
      await applyListPlans(tx, teamRef, plans);
      await store.incrementVersion(tx, teamRef.deployment, teamRef.team);
      answer.recordEffect({ object: `team/${path.teamId}`, before, after: body.team });
      return replyWithTeam({ tx, caller, answer }, path.teamId);
    },

    deleteDeploymentTeam: async ({ path, tx, caller, answer }) => {
      await deployments.lock(tx, path.deploymentId);
      const team = await store.find(tx, caller, path.teamId);
      if (!team) throw NOT_FOUND();
      if (team.childTeamCount > 0) throw contract.TEAM_HAS_CHILDREN({ count: team.childTeamCount });
      if (team.isProjectDefault || team.isUserDefault) throw contract.DEFAULT_TEAM();
      await store.remove(tx, path.deploymentId, path.teamId);
      answer.recordEffect({ object: `team/${path.teamId}`, before: team });
      return {};
    },

    listTeamUsers: async ({ path, query, page, tx }) => {
      const rows = await store.listMembers(tx, { deployment: path.deploymentId, id: path.teamId }, page.window);
      const { items, cursor } = page.close(rows, ({ userId }) => [userId]);
      return { ...path, users: items, limit: query.limit, cursor };
    },

    listTeamRepos: async ({ path, query, page, tx }) => {
      const rows = await store.listProjects(tx, { deployment: path.deploymentId, id: path.teamId }, page.window);
      const { items, cursor } = page.close(rows, (id) => [id]);
      return { ...path, repositoryIds: items, limit: query.limit, cursor };
    },

    listTeamChildTeams: async ({ path, query, page, tx }) => {
      const rows = await store.listChildren(tx, { deployment: path.deploymentId, id: path.teamId }, page.window);
      const { items, cursor } = page.close(rows, (id) => [id]);
      return { ...path, childTeamIds: items, limit: query.limit, cursor };
    },

    explainAccess: explainProjectAccess,
  },
  { objects: { teamId: (tx, { caller, id }) => reach.teamPermissionsFor(tx, caller, id) } },
);
