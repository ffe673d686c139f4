import { Button, Menu } from '@mantine/core';
import { Code2 } from 'lucide-react';
import type { ApiInput } from '#web/foundation/api/client.ts';
import { curlCommand } from '#web/foundation/api/curl.ts';
import { copyAndNotify } from './clipboard.ts';

interface CopyAsProps {
  operationId: string;
  input: ApiInput;
}

/** Takes the view or the form elsewhere: as a call of the API, or as a link. */
export function CopyAsMenu({ operationId, input }: CopyAsProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Code2 size={16} />}>
          Copy as…
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void copyAndNotify(curlCommand(operationId, input), 'Command')}>
          curl command
        </Menu.Item>
        <Menu.Item onClick={() => void copyAndNotify(location.href, 'Link')}>Link to this view</Menu.Item>
        <Menu.Item component="a" href={`/docs/api#${operationId}`}>
          Documentation of the call
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
