import * as members from '#domain/teams/members.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { TEAM_CHANGE_REFUSED } from './contract.ts';
import { applyListPlan, type PlannedTeamList, type TeamListPlan } from './rules.ts';

export interface TeamListPlans {
  users?: PlannedTeamList | undefined;
  repositories?: PlannedTeamList | undefined;
}

export const DEFAULT_TEAM_ROLE = 'TEAM_ROLE_MEMBER';

const idsOf = (plan: TeamListPlan): string[] => [...plan.put.keys(), ...plan.remove];

/** Errors for ids that are unknown to the caller; foreign, missing and invisible ids give the same error. */
export async function planErrors(
  tx: Tx,
  caller: Caller,
  { users, repositories }: TeamListPlans,
): Promise<FieldError[]> {
  const errors = [...(users?.errors ?? []), ...(repositories?.errors ?? [])];
  const unknown = (pointer: string, ids: Set<string>, noun: string): FieldError[] =>
    [...ids].map((id) => ({
      pointer,
      code: 'UNKNOWN_REFERENCE',
      detail: `${noun} ${id} is not known in this deployment`,
    }));
  if (users && users.errors.length === 0)
    errors.push(
      ...unknown('#/team/users', await members.findUnknownAccounts(tx, caller.deployment, idsOf(users.plan)), 'user'),
    );
  if (repositories && repositories.errors.length === 0)
    errors.push(
      ...unknown(
        '#/team/repositories',
        await members.findUnknownProjects(tx, caller, idsOf(repositories.plan)),
        'repository',
      ),
    );
  return errors;
}

/** Applies the plans. The team must be locked. */
export async function applyListPlans(
  tx: Tx,
  team: members.TeamRef,
  { users, repositories }: TeamListPlans,
): Promise<void> {
  if (users) await changeMembers(tx, team, users.plan);
  if (repositories) await changeProjects(tx, team, repositories.plan);
}

async function changeMembers(tx: Tx, team: members.TeamRef, plan: TeamListPlan): Promise<void> {
  const before = await members.listMemberRoles(tx, team);
  refuseFieldErrors(
    TEAM_CHANGE_REFUSED,
    [...plan.mustExist]
      .filter((id) => !before.has(id))
      .map((id) => ({ pointer: '#/team/users', code: 'NOT_A_MEMBER', detail: `user ${id} is not in the team` })),
  );
  const after = applyListPlan(plan, before, DEFAULT_TEAM_ROLE);
  const memberships = [...plan.put.keys()].map((account) => ({
    account,
    role: after.get(account) ?? DEFAULT_TEAM_ROLE,
  }));
  if (plan.isReplacement) await members.removeMembersExcept(tx, team, [...after.keys()]);
  else await members.removeMembers(tx, team, [...plan.remove]);
  await members.addMembers(tx, team, memberships);
}

async function changeProjects(tx: Tx, team: members.TeamRef, plan: TeamListPlan): Promise<void> {
  if (plan.isReplacement) await members.removeProjectsExcept(tx, team, [...plan.put.keys()]);
  else await members.removeProjects(tx, team, [...plan.remove]);
  await members.addProjects(tx, team, [...plan.put.keys()]);
}
