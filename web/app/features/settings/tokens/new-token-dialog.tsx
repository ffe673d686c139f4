import { Button, Loader, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { tokens } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import type { CreatedToken } from './queries.ts';
import { tokenSnippets } from './token-snippets.ts';

const POLL_INTERVAL_MS = 3000;

interface NewTokenDialogProps {
  created: CreatedToken;
  /** When the replaced token expires. */
  note?: string | undefined;
  onClose: () => void;
}

/** Shows the secret of a new token once, with example commands, and waits for its first use. */
export function NewTokenDialog({ created, note, onClose }: NewTokenDialogProps) {
  const { slug } = useOrg();
  const { token, secret } = created;
  const snippets = tokenSnippets({ origin: location.origin, slug, secret }, token);
  return (
    <Dialog onClose={onClose} title={`Token ${token.name}`} size="xl" closeOnClickOutside={false} closeOnEscape={false}>
      <div className="settings-form">
        <p className="settings-note" data-kind="warn">
          Copy the secret now. It is shown only once. {note}
        </p>
        <div className="token-secret">
          <CodeBlock text={secret} label="secret" />
        </div>
        <Tabs defaultValue="try" keepMounted={false}>
          <Tabs.List>
            {snippets.map(({ id, name }) => (
              <Tabs.Tab key={id} value={id}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {snippets.map(({ id, name, text }) => (
            <Tabs.Panel key={id} value={id} pt="sm">
              <CodeBlock text={text} label={name} />
            </Tabs.Panel>
          ))}
        </Tabs>
        <FirstUse tokenId={token.id} />
        <div className="settings-form-actions">
          <Button onClick={onClose}>I have copied it</Button>
        </div>
      </div>
    </Dialog>
  );
}

function FirstUse({ tokenId }: { tokenId: string }) {
  const { id: deploymentId } = useOrg();
  const { data: lastUsedAt } = useQuery({
    queryKey: [deploymentId, 'settings', 'first-use', tokenId],
    // The list is sorted by newest first, so a new token is on the first page.
    queryFn: async ({ signal }) => {
      const page = await tokens.listTokens({ path: { deploymentId }, query: { limit: '20' } }, { signal });
      return page.tokens.find(({ id }) => id === tokenId)?.lastUsedAt ?? null;
    },
    refetchInterval: ({ state }) => (typeof state.data === 'string' ? false : POLL_INTERVAL_MS),
  });
  return (
    <div className="settings-note" data-kind={lastUsedAt ? 'good' : undefined} role="status">
      {lastUsedAt ? (
        <span className="settings-status" data-kind="good">
          <CircleCheck size={18} aria-hidden="true" /> First use received, <RelativeTime at={lastUsedAt} />
        </span>
      ) : (
        <span>
          <Loader size="xs" aria-hidden="true" /> Waiting for the first use… It appears here within 30 seconds.
        </span>
      )}
    </div>
  );
}
