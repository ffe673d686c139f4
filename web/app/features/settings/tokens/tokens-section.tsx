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

/** Credentials of programs: what they may do, when they were used, when they end. */
export function TokensSection() {
  const { id: deploymentId } = useOrg();
  const { put } = useSettingsSearch();
  const create = () => put({ preset: 'ci' });
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
  const { search, put } = useSettingsSearch();
  const [made, setMade] = useState<CreatedToken>();
  const preset = findTokenPreset(search.preset);
  const close = () => {
    setMade(undefined);
    put({ preset: undefined }, true);
    void queryClient.invalidateQueries({ queryKey: tokensKey(org.id) });
  };
  if (made) return <NewTokenDialog made={made} onClose={close} />;
  if (!preset || !org.may('token:manage')) return null;
  return <CreateToken preset={preset} onPreset={(id) => put({ preset: id }, true)} onMade={setMade} onClose={close} />;
}

type Doing = { kind: 'rotate' | 'delete'; token: ApiToken } | { kind: 'made'; made: CreatedToken; note: string };

function TokenList({ onCreate }: { onCreate: () => void }) {
  const { id: deploymentId } = useOrg();
  const { search } = useSettingsSearch();
  const [doing, setDoing] = useState<Doing>();
  const list = useInfiniteQuery(tokensQuery(deploymentId));
  const problem = list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return problem ?? <LoadingRows />;
  const all = list.data.pages.flatMap((page) => page.tokens);
  const wanted = (search.q ?? '').toLowerCase();
  const shown = all.filter(({ name, suffix }) => `${name} ${suffix}`.toLowerCase().includes(wanted));
  if (all.length === 0)
    return (
      <EmptyState
        title="No tokens yet"
        why="A token lets CI bring its results, or a program use the API."
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
      <FilterBox label="Filter by name or ending" />
      {shown.length === 0 ? (
        <EmptyState
          title="No token has that name"
          why={list.hasNextPage ? 'None of those that are loaded.' : 'Clear the filter to see all.'}
        />
      ) : (
        <TokenTable
          tokens={shown}
          onRotate={(token) => setDoing({ kind: 'rotate', token })}
          onDelete={(token) => setDoing({ kind: 'delete', token })}
        />
      )}
      {problem}
      <LoadMore {...list} />
      {doing && <TokenDeed doing={doing} onDoing={setDoing} />}
    </>
  );
}

function TokenDeed({ doing, onDoing }: { doing: Doing; onDoing: (next: Doing | undefined) => void }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries({ queryKey: tokensKey(deploymentId) });
  const close = () => {
    onDoing(undefined);
    void reload();
  };
  if (doing.kind === 'made') return <NewTokenDialog made={doing.made} note={doing.note} onClose={close} />;
  const { kind, token } = doing;
  if (kind === 'rotate')
    return (
      <RotateToken
        token={token}
        // What the confirmation closes is itself: the new secret takes its place after that.
        onMade={(made, note) => setTimeout(() => onDoing({ kind: 'made', made, note }))}
        onClose={close}
      />
    );
  const remove = async () => {
    await tokens.deleteToken({ path: { deploymentId, tokenId: token.id } });
    notify(`Token ${token.name} deleted`);
  };
  return (
    <ConfirmDialog title={`Delete the token ${token.name}?`} deed="Delete" onConfirm={remove} onClose={close}>
      Whatever uses it (…{token.suffix}) is refused from the next request on. This cannot be taken back.
    </ConfirmDialog>
  );
}
