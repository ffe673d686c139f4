import { Button, Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { asProblem } from '#web/foundation/api/problem.ts';
import { ruleboards } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { ProjectNamesSelect } from './project-names-select.tsx';

/** Creates a ruleboard with a name and the projects that move to it. */
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
      notify(`Ruleboard ${board.name} created.`);
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
      <ProjectNamesSelect
        description="Optional. Projects leave their current ruleboard; the default one still applies to them."
        value={projects}
        error={fields['assigned_repos']}
        onChange={setProjects}
      />
      {error !== undefined && <ProblemView error={error} />}
      <div className="policy-buttons">
        <CopyAsMenu operationId="RuleboardService_CreateRuleboard" input={input} />
        <Button type="submit" loading={isBusy}>
          Create ruleboard
        </Button>
      </div>
    </form>
  );
}
