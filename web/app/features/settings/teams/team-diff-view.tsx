import { useQuery } from '@tanstack/react-query';
import { projectNamesQuery } from '#web/foundation/api/project-queries.ts';
import { TEAM_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { accessImpactQuery } from './model/access-impact-query.ts';
import type { TeamDiff } from './model/team-edits.ts';

interface NameLookup {
  personName: (id: string) => string;
  projectName: (id: string) => string;
}

const roleName = (role: string) => TEAM_ROLE_LABELS[role] ?? role;

interface DiffEntry {
  key: string;
  kind: 'added' | 'removed' | 'changed';
  text: string;
}

const SIGNS = { added: '+', removed: '−', changed: '~' } as const;

function DiffList({ title, lines }: { title: string; lines: readonly DiffEntry[] }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {lines.map(({ key, kind, text }) => (
          <li key={key} data-kind={kind}>
            <span aria-hidden="true">{SIGNS[kind]}</span> <span className="visually-hidden">{kind}: </span>
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows the differences between two versions of a team. */
export function TeamDiffView({ difference, personName, projectName }: NameLookup & { difference: TeamDiff }) {
  const { name, projectsAdded, projectsRemoved, peopleAdded, peopleRemoved, rolesChanged } = difference;
  const renamed: DiffEntry[] =
    name === undefined ? [] : [{ key: 'name', kind: 'changed', text: `renamed to “${name}”` }];
  const projects: DiffEntry[] = [
    ...projectsAdded.map((id): DiffEntry => ({ key: id, kind: 'added', text: projectName(id) })),
    ...projectsRemoved.map((id): DiffEntry => ({ key: id, kind: 'removed', text: projectName(id) })),
  ];
  const people: DiffEntry[] = [
    ...peopleAdded.map(
      ({ id, role }): DiffEntry => ({ key: id, kind: 'added', text: `${personName(id)}, ${roleName(role)}` }),
    ),
    ...rolesChanged.map(
      ({ id, before, after }): DiffEntry => ({
        key: id,
        kind: 'changed',
        text: `${personName(id)}: ${roleName(before)} → ${roleName(after)}`,
      }),
    ),
    ...peopleRemoved.map((id): DiffEntry => ({ key: id, kind: 'removed', text: personName(id) })),
  ];
  return (
    <>
      <DiffList title="Name" lines={renamed} />
      <DiffList title="Projects" lines={projects} />
      <DiffList title="People" lines={people} />
    </>
  );
}

const MAX_NAMES = 5;

const joinNames = (names: readonly string[]) =>
  names.length <= MAX_NAMES
    ? names.join(', ')
    : `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`;

const projectCount = (count: number) => (count === 1 ? '1 project' : `${count} projects`);

/** Shows who gains or loses access to projects. */
export function AccessImpactView({ change }: { change: Parameters<typeof accessImpactQuery>[0] }) {
  const { deploymentId } = change;
  const impact = useQuery(accessImpactQuery(change));
  const effects = impact.data?.effects ?? [];
  const ids = [...new Set(effects.flatMap(({ gains, loses }) => [...gains, ...loses]))];
  const projects = useQuery({ ...projectNamesQuery(deploymentId, ids), enabled: ids.length > 0 });
  const nameOf = (id: string) => projects.data?.get(id) ?? `project ${id}`;
  if (impact.isPending) return <LoadingRows rows={2} height={32} />;
  if (impact.isError) return <ProblemView error={impact.error} onRetry={() => void impact.refetch()} />;
  const lines = effects.flatMap(({ personId, gains, loses }): DiffEntry[] => {
    const who = impact.data?.names.get(personId) ?? `Person ${personId}`;
    const line = (kind: 'added' | 'removed', verb: string, all: string[]): DiffEntry[] =>
      all.length === 0
        ? []
        : [
            {
              key: `${personId} ${kind}`,
              kind,
              text: `${who} ${verb} ${projectCount(all.length)}: ${joinNames(all.map(nameOf))}`,
            },
          ];
    return [...line('added', 'gains', gains), ...line('removed', 'loses', loses)];
  });
  return (
    <section>
      {lines.length > 0 ? (
        <DiffList title="Who gains or loses access" lines={lines} />
      ) : (
        <>
          <h3>Who gains or loses access</h3>
          <p>
            {impact.data === null
              ? 'Too many people or teams are affected to calculate this. See the lists above.'
              : 'Nobody: administrators see everything, and nobody else is affected.'}
          </p>
        </>
      )}
    </section>
  );
}
