import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { chunk } from '#web/foundation/api/chunks.ts';
import { checklist } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { FormProblem } from '../parts/form-problem.tsx';
import {
  type InviteResult,
  MAX_INVITES_PER_REQUEST,
  parseAddresses,
  parseInviteReply,
  summarizeInvites,
} from './invitation-emails.ts';
import { peopleKey } from './queries.ts';

/** Invites people by e-mail address; if the server sends no e-mail, it shows the links to pass on. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const [text, setText] = useState('');
  const [results, setResults] = useState<InviteResult[]>([]);
  const { good, bad } = parseAddresses(text);
  const inviting = useMutation({
    mutationFn: async () => {
      for (const [index, emails] of chunk(good, MAX_INVITES_PER_REQUEST).entries()) {
        const { message } = await checklist.inviteMembers({ path: { deploymentId }, body: { emails } });
        setResults((before) => [...before, parseInviteReply(message)]);
        // If a later batch fails, the form keeps the remaining addresses.
        setText(good.slice((index + 1) * MAX_INVITES_PER_REQUEST).join('\n'));
      }
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: peopleKey(deploymentId) }),
  });
  if (inviting.isSuccess) return <Invited results={results} onClose={onClose} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    inviting.mutate();
  };
  const found = good.length === 1 ? '1 address' : `${good.length} addresses`;
  return (
    <Dialog onClose={onClose} title="Invite people" size="lg">
      <form className="settings-form" onSubmit={submit}>
        <FormProblem error={inviting.error} />
        {inviting.isError && results.length > 0 && <InviteResults results={results} />}
        <Textarea
          label="E-mail addresses"
          description="One per line or separated by commas; names around them are ignored."
          rows={6}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={bad.length > 0 ? `Not an address: ${bad.slice(0, 5).join(', ')}` : undefined}
        />
        <p className="dimmed" role="status">
          {found} found.
        </p>
        <div className="settings-form-actions">
          <CopyAsMenu
            operationId="ChecklistService_InviteMembers"
            input={{ path: { deploymentId }, body: { emails: good.slice(0, MAX_INVITES_PER_REQUEST) } }}
          />
          <Button type="submit" loading={inviting.isPending} disabled={good.length === 0 || bad.length > 0}>
            Invite
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Invited({ results, onClose }: { results: readonly InviteResult[]; onClose: () => void }) {
  const hasLinks = results.some(({ links }) => links.length > 0);
  return (
    <Dialog onClose={onClose} title="Invite people" size="lg" closeOnClickOutside={!hasLinks}>
      <div className="settings-form">
        <InviteResults results={results} />
        <div className="settings-form-actions">
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}

/** The results of the invitations sent so far. */
function InviteResults({ results }: { results: readonly InviteResult[] }) {
  const links = results.flatMap((result) => result.links);
  return (
    <>
      <div className="settings-note" data-kind={links.length > 0 ? 'warn' : 'good'} role="status">
        {summarizeInvites(results).map((sentence) => (
          <div key={sentence}>{sentence}</div>
        ))}
      </div>
      {links.length > 0 && (
        <ul className="people-links">
          {links.map(({ email, link }) => (
            <li key={email}>
              <CopyText text={email} label="address" />
              <CodeBlock text={link} label={`link for ${email}`} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
