import { queryOptions } from '@tanstack/react-query';
import { account, secondFactor } from '#web/foundation/api/services.ts';

export type OwnSession = Awaited<ReturnType<typeof account.listSessions>>['sessions'][number];

export const sessionsQuery = (includeEnded: boolean) =>
  queryOptions({
    queryKey: ['account', 'sessions', includeEnded],
    queryFn: async ({ signal }) => (await account.listSessions({ query: { includeEnded } }, { signal })).sessions,
  });

export const secondFactorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: ({ signal }) => secondFactor.getSecondFactor({}, { signal }),
});
