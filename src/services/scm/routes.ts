import { checkConfig } from '#domain/scm/check-config.ts';
import {
  type ConfigFilter,
  type ConfigSortName,
  listConfigs,
  showConfigs,
  shownScopes,
  statusOf,
} from '#domain/scm/list-configs.ts';
import * as configs from '#domain/scm/scm-configs.ts';
import { scmSyncTask } from '#domain/scm/scm-jobs.ts';
import { unsubscribe } from '#domain/scm/subscribe.ts';
import { startTask } from '#domain/tasks/task-runner.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { withQuantizedDuration } from '#kernel/outbound/quantized-time.ts';
import * as contract from './contract.ts';
import { changeConfig, createConfig } from './save-config.ts';

/** A host is asked so often at most. */
const CHECK_PERIOD_MS = 60_000;

interface Order {
  filter: ConfigFilter;
  sortBy?: string | undefined;
  sortDirection?: string | undefined;
}

async function listed({ tx, caller, page }: Pick<Call, 'tx' | 'caller' | 'page'>, order: Order) {
  const { deployment } = caller;
  const isSorted = order.sortBy !== undefined && !order.sortBy.endsWith('_UNSPECIFIED');
  const rows = await listConfigs(tx, deployment, {
    filter: order.filter,
    sort: isSorted ? (order.sortBy as ConfigSortName) : 'SCM_CONFIG_SORT_BY_ID',
    isDescending: order.sortDirection === 'SORT_DIRECTION_DESC',
    window: page.window,
  });
  const { items, cursor } = page.close(rows, ({ sort_key: key, id }) => [key, id]);
  return { configs: await showConfigs(tx, deployment, items), cursor };
}

/** ScmService: connections to code hosts. */
export const scm = group(
  'ScmService',
  contract,
  {
    listScmConfig: (call) => listed(call, { ...call.query, filter: {} }),

    searchScmConfig: (call) => {
      const { filter = {}, sortBy, sortDirection } = call.body;
      const { namespace, type, statusOk: isOk } = filter;
      return listed(call, { filter: { namespace, type, isOk }, sortBy, sortDirection });
    },

    createScmConfig: (call) =>
      withQuantizedDuration(call.services.sleep, async () => ({ config: await createConfig(call) })),

    patchScmConfig: (call) =>
      withQuantizedDuration(call.services.sleep, async () => ({ config: await changeConfig(call) })),

    deleteScmConfig: (call) =>
      withQuantizedDuration(call.services.sleep, async () => {
        const { path, read, transact, transactFurther, services, answer } = call;
        const ref = { deployment: path.deploymentId, id: path.configId };
        const before = await read((tx) => configs.findConfig(tx, ref));
        if (!before) throw NOT_FOUND();
        const isHookDeleted = await unsubscribe(transactFurther, services, ref);
        await transact(async (tx) => {
          if ((await configs.deleteConfig(tx, ref)) === 0) throw NOT_FOUND();
          const { provider, base_url: baseUrl, namespace } = before;
          answer.recordEffect({
            object: `scm-config/${ref.id}`,
            before: { provider, baseUrl, namespace },
            after: { isHookDeleted },
          });
        });
        return {};
      }),

    syncScmConfig: async ({ path, tx, caller, services, now, answer }) => {
      const { deploymentId: deployment, configId: config } = path;
      answer.recordEffect({ object: `scm-config/${config}` });
      const input = { config };
      return {
        taskTokenJwt: await startTask(tx, services.keys, { kind: scmSyncTask, deployment, caller, input, now }),
      };
    },

    checkScmConfig: (call) =>
      withQuantizedDuration(call.services.sleep, async () => {
        const { path, read, transactFurther, services, now } = call;
        const ref = { deployment: path.deploymentId, id: path.configId };
        const before = await read((tx) => configs.findConfig(tx, ref));
        const isRecent = before?.checked_at && now.getTime() - before.checked_at.getTime() < CHECK_PERIOD_MS;
        if (!isRecent) await checkConfig(transactFurther, services, ref, now);
        const config = isRecent ? before : await read((tx) => configs.findConfig(tx, ref));
        if (!config) throw NOT_FOUND();
        return { status: statusOf(config), tokenScopes: shownScopes(config) };
      }),
  },
  {
    objects: {
      configId: async (tx, ref) => ((await configs.findConfig(tx, ref)) ? new Set<string>() : undefined),
    },
  },
);
