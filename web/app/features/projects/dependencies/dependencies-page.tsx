import { Button, CloseButton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef } from 'react';
import { projectNamesQuery } from '#web/foundation/api/project-queries.ts';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import './dependencies.css';
import { DependencyList, dependencyFilterBody } from './dependency-list.tsx';
import { parsePackageFilter } from './package-filter.ts';

const route = getRouteApi('/o/$slug/dependencies');

/** Answers "are we affected?": which projects depend on a package, in which version and file. */
export function DependenciesPage() {
  const org = useOrg();
  const { q = '', project } = route.useSearch();
  const navigate = route.useNavigate();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The field is uncontrolled and keeps its focus when the URL changes.
    if (input.current) input.current.value = q;
  }, [q]);
  useShortcuts({ filter: () => input.current?.focus() });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = input.current?.value.trim() ?? '';
    void navigate({ search: { ...(typed === '' ? {} : { q: typed }), ...(project ? { project } : {}) } });
  };
  const isValid = q === '' || parsePackageFilter(q) !== undefined;
  const filter = { q, project };
  return (
    <Page
      title="Dependencies"
      actions={
        <CopyAsMenu
          operationId="SupplyChain2Service_ListDependenciesPost"
          input={{ path: { deploymentId: org.id }, body: { dependencyFilter: dependencyFilterBody(filter) } }}
        />
      }
    >
      <form className="dependencies-form" onSubmit={submit}>
        <TextInput
          ref={input}
          label="Package"
          description="A package name, optionally with a version or range: lodash@<4.17.21"
          defaultValue={q}
          autoComplete="off"
          spellCheck={false}
          error={isValid ? undefined : 'Write a range as package@<1.2.3, package@>=1.0.0 <2.0.0 or package@1.2.3.'}
        />
        <Button type="submit">Find</Button>
      </form>
      {project !== undefined && (
        <OnlyProject projectId={project} onRemove={() => void navigate({ search: q === '' ? {} : { q } })} />
      )}
      {isValid && <DependencyList filter={filter} />}
    </Page>
  );
}

function OnlyProject({ projectId, onRemove }: { projectId: string; onRemove: () => void }) {
  const org = useOrg();
  const { data: names } = useQuery(projectNamesQuery(org.id, [projectId]));
  return (
    <p className="dependencies-only">
      <span>
        Only in{' '}
        <Link to="/o/$slug/projects/$projectId" params={{ slug: org.slug, projectId }}>
          {names?.get(projectId) ?? `project ${projectId}`}
        </Link>
      </span>
      <CloseButton aria-label="Show all projects" onClick={onRemove} />
    </p>
  );
}
