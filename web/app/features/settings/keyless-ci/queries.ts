import { queryOptions } from '@tanstack/react-query';
import { keylessCi } from '#web/foundation/api/services.ts';

export type CiTrust = Awaited<ReturnType<typeof keylessCi.listCiTrusts>>['trusts'][number];

export const trustsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'settings', 'ci-trusts'],
    queryFn: async ({ signal }) => (await keylessCi.listCiTrusts({ path: { deploymentId } }, { signal })).trusts,
  });
