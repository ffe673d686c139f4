import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { asProblem } from '#web/foundation/api/problem.ts';
import type { ProjectRepository } from '#web/foundation/api/project-queries.ts';
import { projects } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { FOLLOW_DEFAULT_BRANCH, primaryBranchOf, projectChangesOf } from './project-changes.ts';

/** Edits the name, primary branch and tags of a project, or deletes it. */
export function ProjectSettings({ repo }: { repo: ProjectRepository }) {
  const org = useOrg();
  const queryClient = useQueryClient();
  // The form shows the values it was opened with, so changes are relative to those.
  const [opened, setOpened] = useState(repo);
  const save = useMutation({
    mutationFn: (form: FormData) => {
      const [name = '', branch = '', tags = ''] = ['name', 'branch', 'tags'].map((field) => String(form.get(field)));
      const body = projectChangesOf(opened, { name, branch, tags });
      return projects.editRepo({ path: { deploymentId: org.id, idOrName: repo.id }, body });
    },
    onSuccess: async (reply) => {
      setOpened(reply.repo);
      await queryClient.invalidateQueries({ queryKey: [org.id] });
      notify('Project saved.');
    },
  });
  const errors = save.error ? asProblem(save.error).fieldErrors() : {};
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget));
  };
  return (
    <>
      <section className="projects-section">
        <h2>Project</h2>
        <form className="projects-form" onSubmit={submit}>
          <TextInput label="Name" name="name" defaultValue={opened.name} error={errors['name']} required />
          <NativeSelect
            label="Primary branch"
            description="Lists and counts show the findings of this branch."
            name="branch"
            defaultValue={primaryBranchOf(opened)}
            error={errors['primaryBranch']}
            data={[
              {
                value: FOLLOW_DEFAULT_BRANCH,
                label: `Follow the default branch (${repo.defaultBranch || 'not known'})`,
              },
              ...repo.refs.map(({ ref }) => ({ value: ref, label: ref })),
            ]}
          />
          <TextInput
            label="Tags"
            description="Separated by commas."
            name="tags"
            defaultValue={opened.tags.join(', ')}
            error={errors['tags']}
          />
          {save.error && <ProblemView error={save.error} />}
          <PermissionGate permission="project:manage">
            {(isDisabled) => (
              <Button type="submit" disabled={isDisabled} loading={save.isPending}>
                Save
              </Button>
            )}
          </PermissionGate>
        </form>
      </section>
      <DeleteProject repo={repo} />
    </>
  );
}

function DeleteProject({ repo }: { repo: ProjectRepository }) {
  const org = useOrg();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () => projects.deleteProject({ path: { deploymentId: org.id, projectId: repo.id } }),
    onSuccess: async () => {
      await navigate({ to: '/o/$slug/projects', params: { slug: org.slug } });
      await queryClient.invalidateQueries({ queryKey: [org.id] });
      notify(`${repo.name} deleted.`);
    },
  });
  return (
    <section className="projects-section">
      <h2>Delete</h2>
      <p className="dimmed">Its findings, scans and history are deleted too. This cannot be undone.</p>
      <PermissionGate permission="project:manage">
        {(isDisabled) => (
          <Button color="red" variant="outline" disabled={isDisabled} onClick={() => setIsConfirming(true)}>
            Delete the project…
          </Button>
        )}
      </PermissionGate>
      <Modal opened={isConfirming} onClose={() => setIsConfirming(false)} title={`Delete ${repo.name}?`}>
        <TextInput
          label="Type the name of the project to confirm"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
        />
        {remove.error && <ProblemView error={remove.error} />}
        <Button
          mt="md"
          color="red"
          disabled={typed !== repo.name}
          loading={remove.isPending}
          onClick={() => remove.mutate()}
        >
          Delete permanently
        </Button>
      </Modal>
    </section>
  );
}
