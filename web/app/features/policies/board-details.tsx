import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { asProblem } from '#web/foundation/api/problem.ts';
import { ruleboards } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { ProjectNamesSelect } from './project-names-select.tsx';

type Overview = Awaited<ReturnType<typeof ruleboards.getRuleboardOverview>>;

interface BoardDetailsProps {
  boardSlug: string;
  overview: Overview;
  isReadOnly: boolean;
}

/** Changes only with the details themselves, so that a refetch does not reset the form. */
export const detailsKey = ({ name, assigned_repo_items }: Overview): string =>
  JSON.stringify([name, assigned_repo_items.map((repo) => repo.name)]);

/** Edits the name and the projects of a ruleboard. */
export function BoardDetails({ boardSlug, overview, isReadOnly }: BoardDetailsProps) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const before = overview.assigned_repo_items.map(({ name }) => name);
  const [name, setName] = useState(overview.name);
  const [projects, setProjects] = useState(before);
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const isChanged = name !== overview.name || projects.join('\n') !== before.join('\n');
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setError(undefined);
    try {
      const body = { name, ...(overview.default ? {} : { assigned_repos: projects }) };
      await ruleboards.updateRuleboardOverview({ path: { deploymentId: org.id, ruleboardSlug: boardSlug }, body });
      await queryClient.invalidateQueries({ queryKey: [org.id, 'ruleboards'] });
      notify('Ruleboard saved.');
    } catch (problem) {
      setError(problem);
    }
    setIsBusy(false);
  };
  const fields = error === undefined ? {} : asProblem(error).fieldErrors();
  return (
    <details className="board-details">
      <summary>
        {overview.default
          ? 'For all projects'
          : `For ${before.length === 1 ? '1 project' : `${before.length} projects`}`}
      </summary>
      <form className="policy-form" onSubmit={(event) => void save(event)}>
        <TextInput
          label="Name"
          required
          disabled={isReadOnly}
          value={name}
          error={fields['name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {!overview.default && (
          <ProjectNamesSelect
            description="Added projects leave their current ruleboard. The default ruleboard always applies as well."
            value={projects}
            isDisabled={isReadOnly}
            error={fields['assigned_repos']}
            onChange={setProjects}
          />
        )}
        {error !== undefined && <ProblemView error={error} />}
        <div className="policy-buttons">
          <Button type="submit" loading={isBusy} disabled={isReadOnly || !isChanged}>
            Save name and projects
          </Button>
        </div>
      </form>
    </details>
  );
}
