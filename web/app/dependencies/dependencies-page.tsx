import { Button, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useRef } from 'react';
import { useKeys } from '#web/keys/use-keys.ts';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { Page } from '#web/parts/page.tsx';
import './dependencies.css';
import { DependencyList, filterOf } from './dependency-list.tsx';
import { questionOf } from './range.ts';

const route = getRouteApi('/o/$slug/dependencies');

/** "Are we affected?": who depends on a package, in which versions, and by which file. */
export function DependenciesPage() {
  const org = useOrg();
  const { q = '', project } = route.useSearch();
  const navigate = route.useNavigate();
  const input = useRef<HTMLInputElement>(null);
  useKeys({ filter: () => input.current?.focus() });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = input.current?.value.trim() ?? '';
    void navigate({ search: { ...(typed === '' ? {} : { q: typed }), ...(project ? { project } : {}) } });
  };
  const isUnderstood = q === '' || questionOf(q) !== undefined;
  const wanted = { q, project };
  return (
    <Page
      title="Dependencies"
      actions={
        <CopyAs
          operationId="SupplyChain2Service_ListDependenciesPost"
          input={{ path: { deploymentId: org.id }, body: { dependencyFilter: filterOf(wanted) } }}
        />
      }
    >
      <form className="dependencies-ask" onSubmit={submit} key={q}>
        <TextInput
          ref={input}
          label="Package"
          description="A name, with a version or a range if you like: lodash@<4.17.21"
          defaultValue={q}
          autoComplete="off"
          spellCheck={false}
          error={isUnderstood ? undefined : 'Write a range as package@<1.2.3, package@>=1.0.0 <2.0.0 or package@1.2.3.'}
        />
        <Button type="submit">Find</Button>
      </form>
      {isUnderstood && <DependencyList wanted={wanted} />}
    </Page>
  );
}
