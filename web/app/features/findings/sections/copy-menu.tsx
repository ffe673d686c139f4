import { Button, Menu } from '@mantine/core';
import { Code2 } from 'lucide-react';
import { curlCommand } from '#web/foundation/api/curl.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { copyAndNotify } from '#web/ui/clipboard/clipboard.ts';
import { locationText } from '../model/finding-row.ts';
import type { Issue } from '../model/queries.ts';
import { copyFixPrompt, pageUrl } from './copy-fix-prompt.ts';

const OPERATION = 'IssuesService_GetIssue';

/** Copies the finding's link, id, location, fix prompt or API call. */
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
        <Menu.Item onClick={() => void copyAndNotify(pageUrl(org.slug, issue.id), 'Link')}>Link</Menu.Item>
        <Menu.Item onClick={() => void copyAndNotify(`ISS-${issue.id}`, 'Id')}>Id</Menu.Item>
        <Menu.Item onClick={() => void copyAndNotify(locationText({ path: issue.filePath, line: issue.line }), 'Path')}>
          Path with line
        </Menu.Item>
        <Menu.Item onClick={() => void copyFixPrompt(issue)}>Fix prompt for an assistant</Menu.Item>
        <Menu.Item onClick={() => void copyAndNotify(curlCommand(OPERATION, { path }), 'Command')}>
          curl command
        </Menu.Item>
        <Menu.Item component="a" href={`/docs/api#${OPERATION}`}>
          API documentation
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
