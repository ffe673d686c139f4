import { useQuery } from '@tanstack/react-query';
import { projectNamesQuery } from '#web/foundation/api/project-queries.ts';
import { TEAM_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { accessImpactQuery } from './access-impact-query.ts';
import type { TeamDiff } from './team-edits.ts';

interface Names {
  personName: (id: string) => string;
  projectName: (id: string) => string;
}

const roleName = (role: string) => TEAM_ROLE_LABELS[role] ?? role;

interface Line {
  key: string;
  kind: 'added' | 'removed' | 'changed';
  text: string;
}

const SIGNS = { added: '+', removed: '−', changed: '~' } as const;

function Lines({ title, lines }: { title: string; lines: readonly Line[] }) {
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

/** What is added and removed, tab by tab. */
export function TeamDiffView({ difference, personName, projectName }: Names & { difference: TeamDiff }) {
  const { name, projectsAdded, projectsRemoved, peopleAdded, peopleRemoved, rolesChanged } = difference;
  const renamed: Line[] = name === undefined ? [] : [{ key: 'name', kind: 'changed', text: `renamed to “${name}”` }];
  const projects: Line[] = [
    ...projectsAdded.map((id): Line => ({ key: id, kind: 'added', text: projectName(id) })),
    ...projectsRemoved.map((id): Line => ({ key: id, kind: 'removed', text: projectName(id) })),
  ];
  const people: Line[] = [
    ...peopleAdded.map(
      ({ id, role }): Line => ({ key: id, kind: 'added', text: `${personName(id)}, ${roleName(role)}` }),
    ),
    ...rolesChanged.map(
      ({ id, before, after }): Line => ({
        key: id,
        kind: 'changed',
        text: `${personName(id)}: ${roleName(before)} → ${roleName(after)}`,
      }),
    ),
    ...peopleRemoved.map((id): Line => ({ key: id, kind: 'removed', text: personName(id) })),
  ];
  return (
    <>
      <Lines title="Name" lines={renamed} />
      <Lines title="Projects" lines={projects} />
      <Lines title="People" lines={people} />
    </>
  );
}

const FEW = 5;

const listed = (names: readonly string[]) =>
  names.length <= FEW ? names.join(', ') : `${names.slice(0, FEW).join(', ')} and ${names.length - FEW} more`;

const projectsWord = (count: number) => (count === 1 ? '1 project' : `${count} projects`);

/** Who gains or loses sight of what; what another team shows them anyway is left out. */
export function AccessImpactView({ change }: { change: Parameters<typeof accessImpactQuery>[0] }) {
  const { deploymentId } = change;
  const found = useQuery(accessImpactQuery(change));
  const effects = found.data?.effects ?? [];
  const ids = [...new Set(effects.flatMap(({ gains, loses }) => [...gains, ...loses]))];
  const projects = useQuery({ ...projectNamesQuery(deploymentId, ids), enabled: ids.length > 0 });
  const nameOf = (id: string) => projects.data?.get(id) ?? `project ${id}`;
  if (found.isPending) return <LoadingRows rows={2} height={32} />;
  if (found.isError) return <ProblemView error={found.error} onRetry={() => void found.refetch()} />;
  const lines = effects.flatMap(({ personId, gains, loses }): Line[] => {
    const who = found.data?.names.get(personId) ?? `Person ${personId}`;
    const line = (kind: 'added' | 'removed', verb: string, all: string[]): Line[] =>
      all.length === 0
        ? []
        : [
            {
              key: `${personId} ${kind}`,
              kind,
              text: `${who} ${verb} ${projectsWord(all.length)}: ${listed(all.map(nameOf))}`,
            },
          ];
    return [...line('added', 'gains', gains), ...line('removed', 'loses', loses)];
  });
  return (
    <section>
      {lines.length > 0 ? (
        <Lines title="Who gains or loses access" lines={lines} />
      ) : (
        <>
          <h3>Who gains or loses access</h3>
          <p>
            {found.data === null
              ? 'Too many people or teams are concerned to work it out here: see the lists above.'
              : 'Nobody: administrators see everything, and all others see the same as before.'}
          </p>
        </>
      )}
    </section>
  );
}
