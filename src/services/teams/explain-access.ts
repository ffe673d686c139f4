import { permissionsOf, seesEverything, teamPermissionsOf } from '#domain/access/roles.ts';
import { findMemberAndProject, listAccessPaths } from '#domain/teams/access-paths.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import type { explainAccess } from './contract.ts';
import { accessReasonOf } from './rules.ts';

type AccessCall = Pick<Call<typeof explainAccess>, 'query' | 'tx' | 'caller'>;

/** Explains why a person sees a project or does not see it. */
export async function explainProjectAccess({ query, tx, caller }: AccessCall) {
  const asked = { deployment: caller.deployment, account: query.userId, project: query.projectId };
  const parties = await findMemberAndProject(tx, asked);
  if (!parties) throw NOT_FOUND();
  const { role } = parties;
  const ways = seesEverything(role) ? [] : await listAccessPaths(tx, asked);
  const chain = seesEverything(role)
    ? [{ kind: 'ROLE' as const, text: `${parties.name} is an administrator, and administrators see every project.` }]
    : ways.map((way) => accessReasonOf(way, parties));
  const ofTeams = ways.flatMap((way) => [...teamPermissionsOf(way.role)]);
  const isVisible = chain.length > 0;
  const permissions = isVisible ? [...new Set([...permissionsOf(role), ...ofTeams])].sort() : [];
  return { isVisible, role, chain, permissions };
}
