import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { audit, tokens } from '#web/api/services.ts';

export type ApiToken = Awaited<ReturnType<typeof tokens.listTokens>>['tokens'][number];
export type MadeToken = Awaited<ReturnType<typeof tokens.createToken>>;

export const tokensKey = (deploymentId: string) => [deploymentId, 'settings', 'tokens'];

export const tokensQuery = (deploymentId: string) =>
  infiniteQueryOptions({
    queryKey: tokensKey(deploymentId),
    queryFn: ({ pageParam, signal }) =>
      tokens.listTokens({ path: { deploymentId }, query: { limit: '100', cursor: pageParam } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => (cursor === '' ? undefined : cursor),
  });

const MAKING = ['TokenService.createToken', 'TokenService.rotateToken'];

/** Who made the newest tokens: the audit log knows, the tokens do not. */
export const makersQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [...tokensKey(deploymentId), 'makers'],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        MAKING.map((operation) =>
          audit.listAuditRecords(
            { path: { deploymentId }, query: { operation, outcome: 'success', limit: '200' } },
            { signal },
          ),
        ),
      );
      return new Map(pages.flatMap(({ records }) => records.map(({ object, actor }) => [object.id, actor.name])));
    },
  });
