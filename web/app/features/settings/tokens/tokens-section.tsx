import { Button } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { tokens } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { FilterBox } from '../parts/filter-box.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { CreateToken } from './create-token.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { type ApiToken, type CreatedToken, tokensKey, tokensQuery } from './queries.ts';
import { RotateToken } from './rotate-token.tsx';
import { findTokenPreset } from './token-access.ts';
import { TokenTable } from './token-table.tsx';
import './tokens.css';

/** API tokens: create, rotate and delete. */
export function TokensSection() {
  const { id: deploymentId } = useOrg();
  const { update } = useSettingsSearch();
  const create = () => update({ preset: 'ci' });
  return (
    <Page
      title="Tokens"
      actions={
        <>
          <CopyAsMenu operationId="TokenService_ListTokens" input={{ path: { deploymentId } }} />
          <PermissionGate permission="token:manage">
            {(isDisabled) => (
              <Button leftSection={<Plus size={16} />} disabled={isDisabled} onClick={create}>
                Create
              </Button>
            )}
          </PermissionGate>
        </>
      }
    >
      <TokenList onCreate={create} />
      <TokenDialogs />
    </Page>
  );
}

function TokenDialogs() {
  const org = useOrg();
  const queryClient = useQueryClient();
  const { search, update } = useSettingsSearch();
  const [created, setCreated] = useState<CreatedToken>();
  const preset = findTokenPreset(search.preset);
  const close = () => {
    setCreated(undefined);
    update({ preset: undefined }, true);
    void queryClient.invalidateQueries({ queryKey: tokensKey(org.id) });
  };
  if (created) return <NewTokenDialog created={created} onClose={close} />;
  if (!preset || !org.may('token:manage')) return null;
  return (
    <CreateToken
      preset={preset}
      onPreset={(id) => update({ preset: id }, true)}
      onCreated={setCreated}
      onClose={close}
    />
  );
}

type TokenAction =
  | { kind: 'rotate' | 'delete'; token: ApiToken }
  | { kind: 'created'; created: CreatedToken; note: string };

function TokenList({ onCreate }: { onCreate: () => void }) {
  const { id: deploymentId } = useOrg();
  const { search } = useSettingsSearch();
  const [action, setAction] = useState<TokenAction>();
  const list = useInfiniteQuery(tokensQuery(deploymentId));
  const problem = list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return problem ?? <LoadingRows />;
  const all = list.data.pages.flatMap((page) => page.tokens);
  const searchText = (search.q ?? '').toLowerCase();
  const shown = all.filter(({ name, suffix }) => `${name} ${suffix}`.toLowerCase().includes(searchText));
  if (all.length === 0)
    return (
      <EmptyState
        title="No tokens yet"
        why="Tokens let CI upload results and programs use the API."
        action={
          <PermissionGate permission="token:manage">
            {(isDisabled) => (
              <Button disabled={isDisabled} onClick={onCreate}>
                Create a token for CI
              </Button>
            )}
          </PermissionGate>
        }
      />
    );
  return (
    <>
      <FilterBox label="Filter by name or suffix" />
      {shown.length === 0 ? (
        <EmptyState
          title="No matching token"
          why={list.hasNextPage ? 'Only the loaded tokens were searched.' : 'Clear the filter to see all tokens.'}
        />
      ) : (
        <TokenTable
          tokens={shown}
          onRotate={(token) => setAction({ kind: 'rotate', token })}
          onDelete={(token) => setAction({ kind: 'delete', token })}
        />
      )}
      {problem}
      <LoadMore {...list} />
      {action && <TokenActionDialog action={action} onAction={setAction} />}
    </>
  );
}

function TokenActionDialog({
  action,
  onAction,
}: {
  action: TokenAction;
  onAction: (next: TokenAction | undefined) => void;
}) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries({ queryKey: tokensKey(deploymentId) });
  const close = () => {
    onAction(undefined);
    void reload();
  };
  if (action.kind === 'created') return <NewTokenDialog created={action.created} note={action.note} onClose={close} />;
  const { kind, token } = action;
  if (kind === 'rotate')
    return (
      <RotateToken
        token={token}
        // The confirmation closes itself first; then the dialog with the new secret opens.
        onCreated={(created, note) => setTimeout(() => onAction({ kind: 'created', created, note }))}
        onClose={close}
      />
    );
  const remove = async () => {
    await tokens.deleteToken({ path: { deploymentId, tokenId: token.id } });
    notify(`Token ${token.name} deleted`);
  };
  return (
    <ConfirmDialog title={`Delete the token ${token.name}?`} actionLabel="Delete" onConfirm={remove} onClose={close}>
      Requests that use it (…{token.suffix}) are rejected immediately. This cannot be undone.
    </ConfirmDialog>
  );
}
