import { Button } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { tokens } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { Allowed } from '#web/parts/allowed.tsx';
import { Confirm } from '#web/parts/confirm.tsx';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { LoadMore } from '#web/parts/load-more.tsx';
import { Page } from '#web/parts/page.tsx';
import { Empty, LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { say } from '#web/shell/say.ts';
import { FilterBox } from '../parts/filter-box.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { CreateToken } from './create-token.tsx';
import { MadeTokenView } from './made-token.tsx';
import { presetOf } from './rights.ts';
import { RotateToken } from './rotate-token.tsx';
import { type ApiToken, type MadeToken, tokensKey, tokensQuery } from './token-data.ts';
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
          <CopyAs operationId="TokenService_ListTokens" input={{ path: { deploymentId } }} />
          <Allowed permission="token:manage">
            {(isDisabled) => (
              <Button leftSection={<Plus size={16} />} disabled={isDisabled} onClick={create}>
                Create
              </Button>
            )}
          </Allowed>
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
  const [made, setMade] = useState<MadeToken>();
  const preset = presetOf(search.preset);
  const close = () => {
    setMade(undefined);
    put({ preset: undefined }, true);
    void queryClient.invalidateQueries({ queryKey: tokensKey(org.id) });
  };
  if (made) return <MadeTokenView made={made} onClose={close} />;
  if (!preset || !org.may('token:manage')) return null;
  return <CreateToken preset={preset} onPreset={(id) => put({ preset: id }, true)} onMade={setMade} onClose={close} />;
}

type Doing = { kind: 'rotate' | 'delete'; token: ApiToken } | { kind: 'made'; made: MadeToken; note: string };

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
      <Empty
        title="No tokens yet"
        why="A token lets CI bring its results, or a program use the API."
        action={
          <Allowed permission="token:manage">
            {(isDisabled) => (
              <Button disabled={isDisabled} onClick={onCreate}>
                Create a token for CI
              </Button>
            )}
          </Allowed>
        }
      />
    );
  return (
    <>
      <FilterBox label="Filter by name or ending" />
      {shown.length === 0 ? (
        <Empty
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
  if (doing.kind === 'made') return <MadeTokenView made={doing.made} note={doing.note} onClose={close} />;
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
    say(`Token ${token.name} deleted`);
  };
  return (
    <Confirm title={`Delete the token ${token.name}?`} deed="Delete" onConfirm={remove} onClose={close}>
      Whatever uses it (…{token.suffix}) is refused from the next request on. This cannot be taken back.
    </Confirm>
  );
}
