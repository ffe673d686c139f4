import { Button, Menu } from '@mantine/core';
import { Code2 } from 'lucide-react';
import type { ApiInput } from '#web/foundation/api/client.ts';
import { curlCommand } from '#web/foundation/api/curl.ts';
import { copyAndNotify } from './clipboard.ts';

interface CopyAsMenuProps {
  operationId: string;
  input: ApiInput;
}

/** Copies the current view or form as an API call or as a link. */
export function CopyAsMenu({ operationId, input }: CopyAsMenuProps) {
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
          API documentation
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
