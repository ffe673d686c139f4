import { z } from 'zod';
import { nameKey } from '#domain/deployments/rules.ts';
import type { ScmType } from '#domain/projects/shape.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { hostOf } from './hosts/all-hosts.ts';
import { type TokenScopes, withoutScopes } from './hosts/host-shape.ts';
import { listApps, shownApp } from './scm-apps.ts';
import { type ConfigRef, configColumns, findConfig, StoredScmConfig } from './scm-configs.ts';
import type { ScmConfig, ScmSubscription } from './scm-shape.ts';
import { hostOfType, typeOfHost } from './scm-types.ts';

export const CONFIG_SORTS = {
  SCM_CONFIG_SORT_BY_NAME: sql`config.namespace_key`,
  SCM_CONFIG_SORT_BY_ID: sql`lpad(config.id::text, 20, '0')`,
  SCM_CONFIG_SORT_BY_LAST_SUCCESSFUL_SYNC_AT: sql`coalesce(to_char(config.synced_at at time zone 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.MS'), '')`,
} as const;
export type ConfigSortName = keyof typeof CONFIG_SORTS;

export interface ConfigFilter {
  namespace?: string | undefined;
  type?: ScmType | undefined;
  isOk?: boolean | undefined;
}

const ListedConfig = StoredScmConfig.extend({ sort_key: z.string() });
export type ListedConfig = z.output<typeof ListedConfig>;

function isOfType(type: ScmType): Sql {
  const host = hostOfType(type);
  if (!host) return sql`false`;
  const publicType = typeOfHost({ provider: host.provider, baseUrl: host.baseUrl ?? '' });
  const isPublic = host.baseUrl === undefined ? emptySql : sql`and config.base_url = ${host.baseUrl}`;
  const others = publicType === type && host.baseUrl === undefined ? publicAddressOf(host.provider) : undefined;
  return sql`(config.provider = ${host.provider} ${isPublic}
    ${others === undefined ? emptySql : sql`and config.base_url <> ${others}`})`;
}

const publicAddressOf = (provider: string): string | undefined =>
  (['SCM_TYPE_GITHUB', 'SCM_TYPE_GITLAB'] as const)
    .map((type) => hostOfType(type))
    .find((one) => one?.provider === provider)?.baseUrl;

/** One page of configurations. */
export const listConfigs = (
  tx: Tx,
  deployment: string,
  {
    filter,
    sort,
    isDescending,
    window,
  }: {
    filter: ConfigFilter;
    sort: ConfigSortName;
    isDescending: boolean;
    window: PageWindow;
  },
): Promise<ListedConfig[]> => {
  const key = CONFIG_SORTS[sort];
  const direction = isDescending ? sql`desc` : sql`asc`;
  const compare = isDescending ? sql`<` : sql`>`;
  const [afterKey = '', afterId = '0'] = window.after ?? [];
  return tx.all(ListedConfig)`
    select ${configColumns}, ${key} as sort_key from scm_config as config
    where config.deployment_id = ${deployment}
      ${filter.namespace ? sql`and position(${nameKey(filter.namespace)} in config.namespace_key) > 0` : emptySql}
      ${filter.type === undefined ? emptySql : sql`and ${isOfType(filter.type)}`}
      ${filter.isOk === undefined ? emptySql : sql`and config.is_ok = ${filter.isOk}`}
      ${window.after ? sql`and (${key} collate "C", config.id) ${compare} (${afterKey}, ${afterId}::bigint)` : emptySql}
    order by ${key} collate "C" ${direction}, config.id ${direction} limit ${window.limit + 1}`;
};

const scopesOf = (names: readonly string[]): TokenScopes => ({
  ...withoutScopes,
  ...Object.fromEntries(names.filter((name) => name in withoutScopes).map((name) => [name, true])),
});

const Hooked = z.object({ config_id: z.string().optional(), app_id: z.string().optional() });

export const scmUrlOf = ({ base_url: base, namespace }: Pick<StoredScmConfig, 'base_url' | 'namespace'>): string =>
  `${base}/${namespace}`;

export const subscriptionOf = (config: StoredScmConfig): ScmSubscription => ({
  scmUrl: scmUrlOf(config),
  events: [...hostOf(config.provider).hookEvents],
});

/** What people see of configurations; statements do not grow with their number. */
export async function showConfigs(tx: Tx, deployment: string, rows: readonly StoredScmConfig[]): Promise<ScmConfig[]> {
  const apps = new Map((await listApps(tx, deployment)).map((app) => [app.id, app]));
  const hooked = await tx.all(Hooked)`
    select config_id, app_id from scm_hook where deployment_id = ${deployment} and is_active`;
  const byConfig = new Set(hooked.map(({ config_id: config }) => config));
  const byApp = new Set(hooked.map(({ app_id: app }) => app));
  return rows.map((row) => {
    const app = row.app_id === undefined ? undefined : apps.get(row.app_id);
    const isSubscribed = byConfig.has(row.id) || (row.app_id !== undefined && byApp.has(row.app_id));
    const isInstalled = app === undefined ? row.has_token : row.installation_id !== undefined || row.has_token;
    return {
      id: row.id as Id<'ScmConfig'>,
      type: typeOfHost({ provider: row.provider, baseUrl: row.base_url }),
      provider: row.provider,
      namespace: row.namespace,
      sourceId: row.source_id,
      baseUrl: row.base_url,
      ...(app && { app: shownApp(app) }),
      status: statusOf(row),
      installed: isInstalled,
      suspended: row.is_suspended,
      ...(row.provider === 'github' && {
        githubEntityType: row.namespace_kind === 'user' ? 'GITHUB_ENTITY_TYPE_USER' : 'GITHUB_ENTITY_TYPE_ORG',
      }),
      autoScan: row.is_auto_scan,
      useNetworkBroker: false,
      tokenScopes: scopesOf(row.scopes),
      ...(row.token_expires_at && { tokenExpiresAt: row.token_expires_at }),
      subscriptions: isSubscribed ? [subscriptionOf(row)] : [],
      ...(row.synced_at && { lastSuccessfulSyncAt: row.synced_at }),
      repositoryCount: row.repository_count,
      autoScanSettings: { diffEnabled: row.is_diff_scan },
      hasAccessToken: row.has_token,
      scmId: row.namespace_id,
    };
  });
}

export const statusOf = ({ checked_at: checked, is_ok: ok, error }: StoredScmConfig) => ({
  ...(checked && { checked }),
  ok,
  error,
});

export const shownScopes = ({ scopes }: StoredScmConfig): TokenScopes => scopesOf(scopes);

export async function showConfig(tx: Tx, ref: ConfigRef): Promise<ScmConfig | undefined> {
  const stored = await findConfig(tx, ref);
  const [shown] = stored ? await showConfigs(tx, ref.deployment, [stored]) : [];
  return shown;
}
