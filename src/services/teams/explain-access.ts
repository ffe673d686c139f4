import { permissionsOf, seesEverything, teamPermissionsOf } from '#domain/access/roles.ts';
import { findMemberAndProject, listAccessPaths } from '#domain/teams/access-paths.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import type { explainAccess } from './contract.ts';
import { accessReasonOf } from './rules.ts';

type AccessCall = Pick<Call<typeof explainAccess>, 'query' | 'tx' | 'caller'>;

/** Explains why a person sees a project or does not see it. */
export async function explainProjectAccess({ query, tx, caller }: AccessCall) {
  const subject = { deployment: caller.deployment, account: query.userId, project: query.projectId };
  const found = await findMemberAndProject(tx, subject);
  if (!found) throw NOT_FOUND();
  const { role } = found;
  const paths = seesEverything(role) ? [] : await listAccessPaths(tx, subject);
  const chain = seesEverything(role)
    ? [{ kind: 'ROLE' as const, text: `${found.name} is an administrator, and administrators see every project.` }]
    : paths.map((path) => accessReasonOf(path, found));
  const teamPermissions = paths.flatMap((path) => [...teamPermissionsOf(path.role)]);
  const isVisible = chain.length > 0;
  const permissions = isVisible ? [...new Set([...permissionsOf(role), ...teamPermissions])].sort() : [];
  return { isVisible, role, chain, permissions };
}
