import * as members from '#domain/teams/members.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { TEAM_CHANGE_REFUSED } from './contract.ts';
import { applied, type ListPlan, type Planned } from './rules.ts';

export interface Plans {
  users?: Planned | undefined;
  repositories?: Planned | undefined;
}

export const DEFAULT_ROLE = 'TEAM_ROLE_MEMBER';

export function refuse(errors: FieldError[]): void {
  const [first] = errors;
  if (!first) return;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  throw TEAM_CHANGE_REFUSED({ count, first: `${first.pointer} ${first.detail}` }, { errors });
}

const idsOf = (plan: ListPlan): string[] => [...plan.put.keys(), ...plan.remove];

/** Every id in the plans must be known to the caller: foreign, absent and invisible ones are refused alike. */
export async function verify(tx: Tx, caller: Caller, { users, repositories }: Plans): Promise<FieldError[]> {
  const errors = [...(users?.errors ?? []), ...(repositories?.errors ?? [])];
  const unknown = (pointer: string, ids: Set<string>, what: string): FieldError[] =>
    [...ids].map((id) => ({
      pointer,
      code: 'UNKNOWN_REFERENCE',
      detail: `${what} ${id} is not known in this deployment`,
    }));
  if (users && users.errors.length === 0)
    errors.push(
      ...unknown('#/team/users', await members.unknownAccounts(tx, caller.deployment, idsOf(users.plan)), 'user'),
    );
  if (repositories && repositories.errors.length === 0)
    errors.push(
      ...unknown(
        '#/team/repositories',
        await members.unknownProjects(tx, caller, idsOf(repositories.plan)),
        'repository',
      ),
    );
  return errors;
}

/** Makes the plans true. The team is locked, so what is read here is still so when it is written. */
export async function change(tx: Tx, place: members.Place, { users, repositories }: Plans): Promise<void> {
  if (users) await changeMembers(tx, place, users.plan);
  if (repositories) await changeProjects(tx, place, repositories.plan);
}

async function changeMembers(tx: Tx, place: members.Place, plan: ListPlan): Promise<void> {
  const before = await members.seated(tx, place);
  refuse(
    [...plan.mustExist]
      .filter((id) => !before.has(id))
      .map((id) => ({ pointer: '#/team/users', code: 'NOT_A_MEMBER', detail: `user ${id} is not in the team` })),
  );
  const after = applied(plan, before, DEFAULT_ROLE);
  const seats = [...plan.put.keys()].map((account) => ({ account, role: after.get(account) ?? DEFAULT_ROLE }));
  if (plan.isReplacement) await members.unseatAllBut(tx, place, [...after.keys()]);
  else await members.unseat(tx, place, [...plan.remove]);
  await members.seat(tx, place, seats);
}

async function changeProjects(tx: Tx, place: members.Place, plan: ListPlan): Promise<void> {
  if (plan.isReplacement) await members.unassignAllBut(tx, place, [...plan.put.keys()]);
  else await members.unassign(tx, place, [...plan.remove]);
  await members.assign(tx, place, [...plan.put.keys()]);
}
