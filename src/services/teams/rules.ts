import type { FieldError } from '#kernel/contract/fault.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';

export interface TeamListEntry {
  id: string;
  action?: 'UPDATE_ACTION_ADD' | 'UPDATE_ACTION_UPDATE' | 'UPDATE_ACTION_REMOVE' | undefined;
  role?: string | undefined;
}

/** The planned change of a list of a team. */
export interface TeamListPlan {
  /** True if entries that are not in `put` are removed. */
  isReplacement: boolean;
  /** Entries to add or update, with their role; undefined keeps the current role. */
  put: Map<string, string | undefined>;
  /** Entries of `put` that must already be in the list. */
  mustExist: Set<string>;
  remove: Set<string>;
}

export interface PlannedTeamList {
  plan: TeamListPlan;
  errors: FieldError[];
}

const isSameEntry = (left: TeamListEntry, right: TeamListEntry) =>
  left.action === right.action && left.role === right.role;

/** Plans a list change: entries without actions replace the list, entries with actions update it, a mix is refused. */
export function planTeamList(
  entries: readonly TeamListEntry[],
  kind: { pointer: string; hasRoles: boolean },
): PlannedTeamList {
  const errors: FieldError[] = [];
  const addError = (index: number, code: string, detail: string) =>
    errors.push({ pointer: `${kind.pointer}/${index}`, code, detail });
  const isReplacement = entries.every((entry) => entry.action === undefined);
  const plan: TeamListPlan = { isReplacement, put: new Map(), mustExist: new Set(), remove: new Set() };
  const seen = new Map<string, TeamListEntry>();
  for (const [index, entry] of entries.entries()) {
    const before = seen.get(entry.id);
    if (before && !isSameEntry(before, entry))
      addError(index, 'CONTRADICTION', 'is listed twice with different changes');
    seen.set(entry.id, entry);
    if (!isReplacement && entry.action === undefined)
      addError(index, 'MIXED_ACTIONS', 'has no action, but other entries have one');
    if (entry.action === 'UPDATE_ACTION_UPDATE' && !kind.hasRoles)
      addError(index, 'NOT_UPDATABLE', 'can only be added or removed');
    if (entry.action === 'UPDATE_ACTION_UPDATE' && kind.hasRoles && entry.role === undefined)
      addError(index, 'REQUIRED', 'needs the role to change to');
    if (entry.action === 'UPDATE_ACTION_REMOVE') plan.remove.add(entry.id);
    else plan.put.set(entry.id, entry.role);
    if (entry.action === 'UPDATE_ACTION_UPDATE') plan.mustExist.add(entry.id);
  }
  return { plan, errors };
}

/** The list after the plan. Pure, so that tests can compare the store with it. */
export function applyListPlan(
  plan: TeamListPlan,
  before: ReadonlyMap<string, string>,
  fallback: string,
): Map<string, string> {
  const after = new Map(plan.isReplacement ? [] : before);
  for (const [id, role] of plan.put) after.set(id, role ?? before.get(id) ?? fallback);
  for (const id of plan.remove) after.delete(id);
  return after;
}

const ROLE_PHRASES: Record<string, string> = {
  TEAM_ROLE_MEMBER: 'is a member of',
  TEAM_ROLE_MANAGER: 'manages',
  TEAM_ROLE_READONLY: 'may read in',
};

interface AccessPathRow {
  holder_id: string;
  holder_name: string;
  team_id: string;
  team_name: string;
  role: 'TEAM_ROLE_MEMBER' | 'TEAM_ROLE_MANAGER' | 'TEAM_ROLE_READONLY';
}

/** One reason why a person sees a project. */
export function accessReasonOf(path: AccessPathRow, { name, project }: { name: string; project: string }) {
  const { team_id: teamId, team_name: teamName, role: teamRole } = path;
  const isDirect = path.holder_id === teamId;
  const start = `${name} ${ROLE_PHRASES[teamRole]} ${teamName}`;
  return {
    kind: isDirect ? ('TEAM' as const) : ('PARENT_TEAM' as const),
    teamId: teamId as Id<'Team'>,
    teamName,
    teamRole,
    text: isDirect
      ? `${start}, which has ${project}.`
      : `${start}, which is above ${path.holder_name}, which has ${project}.`,
  };
}
