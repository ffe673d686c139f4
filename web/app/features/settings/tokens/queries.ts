import { infiniteQueryOptions } from '@tanstack/react-query';
import { tokens } from '#web/foundation/api/services.ts';

export type ApiToken = Awaited<ReturnType<typeof tokens.listTokens>>['tokens'][number];
export type CreatedToken = Awaited<ReturnType<typeof tokens.createToken>>;

export const tokensKey = (deploymentId: string) => [deploymentId, 'settings', 'tokens'];

export const tokensQuery = (deploymentId: string) =>
  infiniteQueryOptions({
    queryKey: tokensKey(deploymentId),
    queryFn: ({ pageParam, signal }) =>
      tokens.listTokens({ path: { deploymentId }, query: { limit: '100', cursor: pageParam } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => (cursor === '' ? undefined : cursor),
  });
