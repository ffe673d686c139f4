import { Button, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { importCommand } from '#web/ui/upload/import-command.ts';
import { openUpload } from '#web/ui/upload/upload-drop.tsx';
import { EchoFilter } from './echo-filter.ts';
import { ProjectTable } from './project-table.tsx';
import './projects.css';
import { reposQuery } from '#web/foundation/api/project-queries.ts';

const route = getRouteApi('/o/$slug/projects');

/** All projects with their open findings and the state of their scans. */
export function ProjectsPage() {
  const org = useOrg();
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(q);
  const [echoes] = useState(() => new EchoFilter());
  useEffect(() => {
    if (!echoes.isEcho(q)) setText(q);
  }, [q, echoes]);
  const type = (next: string) => {
    setText(next);
    const trimmed = next.trim();
    if (trimmed === text.trim()) return;
    echoes.record(trimmed);
    void navigate({ search: trimmed === '' ? {} : { q: trimmed }, replace: true });
  };
  const list = useInfiniteQuery(reposQuery(org.id, q));
  useShortcuts({ filter: () => input.current?.focus() });
  const repos = list.data?.pages.flatMap((page) => page.repos) ?? [];
  const request = { path: { deploymentId: org.id }, body: q === '' ? {} : { filters: { search: q } } };
  return (
    <Page
      title="Projects"
      actions={
        <>
          <Button leftSection={<Upload size={16} />} onClick={() => openUpload()}>
            Upload a report
          </Button>
          <CopyAsMenu operationId="ProjectsService_SearchRepos" input={request} />
        </>
      }
    >
      <TextInput
        ref={input}
        aria-label="Find projects"
        placeholder="Find projects by name"
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
      />
      {list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />}
      {!list.data ? (
        !list.error && <LoadingRows rows={12} height={44} />
      ) : repos.length === 0 ? (
        <NoProjects search={q} />
      ) : (
        <div aria-busy={list.isPlaceholderData}>
          <ProjectTable repos={repos} />
        </div>
      )}
      <LoadMore {...list} />
    </Page>
  );
}

function NoProjects({ search }: { search: string }) {
  const org = useOrg();
  if (search !== '')
    return <EmptyState title="No project has that name" why={`Nothing matches “${search}”. Check the spelling.`} />;
  return (
    <EmptyState
      title="There are no projects yet"
      why="A project is created by its first report or scan."
      action={<Button onClick={() => openUpload()}>Upload a report</Button>}
      command={importCommand(org.slug, 'acme/web')}
    />
  );
}
