import { Button, Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { asProblem } from '#web/api/problem.ts';
import { ruleboards } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { ProblemView } from '#web/parts/states.tsx';
import { say } from '#web/shell/say.ts';
import { ProjectPicker } from './project-picker.tsx';

/** A new board: its name, and the projects that move to it. */
export function NewBoard({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New ruleboard">
      <NewBoardForm onClose={onClose} />
    </Modal>
  );
}

function NewBoardForm({ onClose }: { onClose: () => void }) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [projects, setProjects] = useState<string[]>([]);
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const input = { path: { deploymentId: org.id }, body: { name, assigned_repos: projects } };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setError(undefined);
    try {
      const board = await ruleboards.createRuleboard(input);
      await queryClient.invalidateQueries({ queryKey: [org.id, 'ruleboards'] });
      say(`Ruleboard ${board.name} made.`);
      onClose();
      void navigate({
        to: '/o/$slug/policies/ruleboards/$boardSlug',
        params: { slug: org.slug, boardSlug: board.slug },
      });
    } catch (problem) {
      setError(problem);
      setIsBusy(false);
    }
  };
  const fields = error === undefined ? {} : asProblem(error).fieldErrors();
  return (
    <form className="policy-form" onSubmit={(event) => void submit(event)}>
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        error={fields['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ProjectPicker
        description="A project leaves the board it was on. Can be left empty and chosen later."
        value={projects}
        error={fields['assigned_repos']}
        onChange={setProjects}
      />
      {error !== undefined && <ProblemView error={error} />}
      <div className="policy-buttons">
        <CopyAs operationId="RuleboardService_CreateRuleboard" input={input} />
        <Button type="submit" loading={isBusy}>
          Make ruleboard
        </Button>
      </div>
    </form>
  );
}
