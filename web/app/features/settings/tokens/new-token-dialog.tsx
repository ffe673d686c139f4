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

const LOOK_EVERY_MS = 3000;

interface MadeTokenViewProps {
  made: CreatedToken;
  /** What becomes of the token that this one replaces. */
  note?: string | undefined;
  onClose: () => void;
}

/** The secret, this once, with what to do with it; the page sees the first use by itself. */
export function NewTokenDialog({ made, note, onClose }: MadeTokenViewProps) {
  const { slug } = useOrg();
  const { token, secret } = made;
  const snippets = tokenSnippets({ origin: location.origin, slug, secret }, token);
  return (
    <Dialog onClose={onClose} title={`Token ${token.name}`} size="xl" closeOnClickOutside={false} closeOnEscape={false}>
      <div className="settings-form">
        <p className="settings-note" data-kind="warn">
          Copy the secret now: it is shown this once and cannot be read again. {note}
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
        <div className="settings-ends">
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
    // A new token is among the newest, which come first.
    queryFn: async ({ signal }) => {
      const page = await tokens.listTokens({ path: { deploymentId }, query: { limit: '20' } }, { signal });
      return page.tokens.find(({ id }) => id === tokenId)?.lastUsedAt ?? null;
    },
    refetchInterval: ({ state }) => (typeof state.data === 'string' ? false : LOOK_EVERY_MS),
  });
  return (
    <div className="settings-note" data-kind={lastUsedAt ? 'good' : undefined} role="status">
      {lastUsedAt ? (
        <span className="settings-word" data-kind="good">
          <CircleCheck size={18} aria-hidden="true" /> First use received, <RelativeTime at={lastUsedAt} />
        </span>
      ) : (
        <span>
          <Loader size="xs" aria-hidden="true" /> Waiting for the first use… It shows here within half a minute.
        </span>
      )}
    </div>
  );
}
