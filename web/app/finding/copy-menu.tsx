import { Button, Menu } from '@mantine/core';
import { Code2 } from 'lucide-react';
import { curlOf } from '#web/api/curl.ts';
import { useOrg } from '#web/org/org.ts';
import { copy } from '#web/parts/copy.ts';
import { copyFixPrompt, pageUrl } from './copy.ts';
import type { Issue } from './queries.ts';

const OPERATION = 'IssuesService_GetIssue';

/** Takes the finding elsewhere: its link, its place, a task for an assistant, or the call that reads it. */
export function CopyMenu({ issue, size = 'sm' }: { issue: Issue; size?: 'sm' | 'compact-sm' }) {
  const org = useOrg();
  const path = { deploymentId: org.id, issueId: issue.id };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size={size} variant="default" leftSection={<Code2 size={16} />}>
          Copy as…
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void copy(pageUrl(org.slug, issue.id), 'Link')}>Link</Menu.Item>
        <Menu.Item onClick={() => void copy(`ISS-${issue.id}`, 'Id')}>Id</Menu.Item>
        <Menu.Item onClick={() => void copy(`${issue.filePath}:${issue.line}`, 'Path')}>Path with line</Menu.Item>
        <Menu.Item onClick={() => void copyFixPrompt(issue)}>Fix prompt for an assistant</Menu.Item>
        <Menu.Item onClick={() => void copy(curlOf(OPERATION, { path }), 'Command')}>curl command</Menu.Item>
        <Menu.Item component="a" href={`/docs/api#${OPERATION}`}>
          Documentation of the call
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
