import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { deliveries } from '#web/foundation/api/services.ts';

type ListReply = Awaited<ReturnType<typeof deliveries.listDeliveries>>;
export type ListedDelivery = ListReply['deliveries'][number];
export type DeliveryStateName = ListedDelivery['state'];
export type DeliveryDetails = Awaited<ReturnType<typeof deliveries.getDelivery>>;
export type ListedDestination = Awaited<ReturnType<typeof deliveries.listDestinations>>['destinations'][number];

export interface DeliveryListFilter {
  automationId?: string | undefined;
  destinationId?: string | undefined;
  runId?: string | undefined;
  state?: DeliveryStateName | undefined;
  /** Only the last days; all that are kept if absent. */
  days?: number | undefined;
}

const PAGE_SIZE = '50';
const REFRESH_MS = 5_000;

/** The key of everything about deliveries, which changes together. */
export const deliveriesKey = (deploymentId: string) => [deploymentId, 'deliveries'] as const;

const DAY_MS = 86_400_000;

const queryParams = ({ state, days, ...filter }: DeliveryListFilter) => ({
  ...filter,
  ...(state === undefined ? {} : { state: [state] }),
  ...(days === undefined ? {} : { since: new Date(Date.now() - days * DAY_MS).toISOString() }),
});

/** Deliveries, newest first; refetched while some wait. */
export const deliveriesQuery = (deploymentId: string, filter: DeliveryListFilter) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey(deploymentId), 'list', filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      deliveries.listDeliveries(
        { path: { deploymentId }, query: { ...queryParams(filter), limit: PAGE_SIZE, cursor: pageParam } },
        { signal },
      ),
    getNextPageParam: ({ cursor }) => (cursor ? cursor : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.deliveries.some(({ state }) => state === 'waiting')) ? REFRESH_MS : false,
  });

export const deliveryQuery = (deploymentId: string, deliveryId: string) =>
  queryOptions({
    queryKey: [...deliveriesKey(deploymentId), 'one', deliveryId],
    queryFn: ({ signal }) => deliveries.getDelivery({ path: { deploymentId, deliveryId } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.delivery.state === 'waiting' ? REFRESH_MS : false),
  });

export const destinationsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [...deliveriesKey(deploymentId), 'destinations'],
    queryFn: async ({ signal }) =>
      (await deliveries.listDestinations({ path: { deploymentId } }, { signal })).destinations,
  });
