import { z } from 'zod';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { followDefaultBranches } from './follow-default-branches.ts';
import type { HostRepository } from './hosts/code-host.ts';
import { converse } from './hosts/host-call.ts';
import { HostFailure } from './hosts/host-failure.ts';
import { type OpenConfig, openConfig, type ScmServices, type ScmTransaction } from './open-host.ts';
import { saveRepositories } from './save-repositories.ts';
import type { ConfigRef, StoredScmConfig } from './scm-configs.ts';
import { hostKey } from './scm-types.ts';
import { isShrunk } from './sync-rules.ts';

const MAX_PAGES = 2_000;
/** So many missing repositories are asked for one by one, because a list that changes while it is read skips some. */
const MAX_ASKED = 20;

export interface SyncReport {
  found: number;
  added: number;
  renamed: number;
  returned: number;
  disconnected: number;
  /** True if the list was much shorter than before: what is missing is believed only if the next one agrees. */
  isShrunk: boolean;
}

const isInNamespace = ({ name }: HostRepository, { namespace }: Pick<StoredScmConfig, 'namespace'>): boolean =>
  name.toLowerCase().startsWith(`${namespace.toLowerCase()}/`);

const Missing = z.object({ external_id: z.string() });

interface SyncRound {
  transaction: ScmTransaction;
  ref: ConfigRef;
  open: OpenConfig;
  at: Date;
}

/** Reads all pages and stores each; the ids that the host listed. */
async function readPages({ transaction, ref, open }: SyncRound, report: SyncReport, signal?: AbortSignal) {
  const { host, access, namespace, config } = open;
  const seen = new Set<string>();
  let cursor = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    signal?.throwIfAborted();
    const listed = await converse(access, host.listRepositories(namespace, cursor));
    const saved = await transaction((tx) => saveRepositories(tx, ref, config, listed.repositories));
    for (const { id } of listed.repositories) seen.add(id);
    report.found += saved.found;
    report.added += saved.added;
    report.renamed += saved.renamed;
    report.returned += saved.returned;
    if (listed.cursor === '') return seen;
    if (listed.cursor === cursor) throw new HostFailure('refused', `${host.name} names the same page as the next one.`);
    cursor = listed.cursor;
  }
  throw new HostFailure('refused', `${host.name} lists more than ${MAX_PAGES} pages of repositories.`);
}

/** The repositories that the list left out although they still exist here. */
async function stillThere({ open, transaction, ref }: SyncRound, missing: readonly string[]): Promise<Set<string>> {
  const kept = new Set<string>();
  if (missing.length > MAX_ASKED) return kept;
  for (const id of missing) {
    const repository = await converse(open.access, open.host.getRepository(id));
    if (!repository || !isInNamespace(repository, open.config)) continue;
    kept.add(id);
    await transaction((tx) => saveRepositories(tx, ref, open.config, [repository]));
  }
  return kept;
}

const markGone = (
  transaction: ScmTransaction,
  { ref, host, at }: { ref: ConfigRef; host: string; at: Date },
  ids: readonly string[],
): Promise<number> =>
  transaction(
    (tx) => tx.run`
      update scm_repository set gone_at = ${at}
      where deployment_id = ${ref.deployment} and host = ${host} and external_id = any(${ids}::text[])
        and config_id = ${ref.id} and gone_at is null`,
  );

/** Marks what the host does not list any more, if that is credible. Nothing is deleted. */
async function finish(round: SyncRound, report: SyncReport, seen: ReadonlySet<string>): Promise<void> {
  const { transaction, ref, open, at } = round;
  const { deployment, id } = ref;
  const ids = [...seen];
  const { missing, known, hasShrunkBefore } = await transaction(async (tx) => {
    const before = await tx.one(RowCount.extend({ shrunk_to: z.int().optional() }))`
      select count(repository.external_id)::integer as count, config.shrunk_to
      from scm_config as config left join scm_repository as repository
        on repository.deployment_id = config.deployment_id and repository.config_id = config.id
          and repository.gone_at is null
      where config.deployment_id = ${deployment} and config.id = ${id}
      group by config.shrunk_to`;
    const rows = await tx.all(Missing)`
      select external_id from scm_repository
      where deployment_id = ${deployment} and config_id = ${id} and gone_at is null
        and external_id <> all(${ids}::text[]) order by external_id`;
    return {
      missing: rows.map((row) => row.external_id),
      known: before?.count ?? 0,
      hasShrunkBefore: before?.shrunk_to !== undefined,
    };
  });
  const isNews = isShrunk({ known, missing: missing.length });
  report.isShrunk = isNews && !hasShrunkBefore;
  if (!report.isShrunk && missing.length > 0) {
    const kept = await stillThere(round, missing);
    const gone = missing.filter((one) => !kept.has(one));
    const host = hostKey({ provider: open.config.provider, baseUrl: open.config.base_url });
    report.disconnected = await markGone(transaction, { ref, host, at }, gone);
  }
  await followDefaultBranches(transaction, ref, at);
  await transaction(
    (tx) => tx.run`
      update scm_config set synced_at = ${at}, shrunk_to = ${report.isShrunk ? seen.size : null}::integer
      where deployment_id = ${deployment} and id = ${id}`,
  );
}

/** Makes our repositories those of the host; undefined if the configuration does not exist any more. */
export async function syncConfig(
  transaction: ScmTransaction,
  services: ScmServices,
  { ref, at, signal }: { ref: ConfigRef; at: Date; signal?: AbortSignal },
): Promise<SyncReport | undefined> {
  await transaction(
    (tx) => tx.run`
      update scm_config set sync_begun_at = ${at} where deployment_id = ${ref.deployment} and id = ${ref.id}`,
  );
  const open = await openConfig(transaction, services, ref);
  if (!open) return undefined;
  const report = { found: 0, added: 0, renamed: 0, returned: 0, disconnected: 0, isShrunk: false };
  const round = { transaction, ref, open, at };
  const seen = await readPages(round, report, signal);
  await finish(round, report, seen);
  return report;
}

/** Asks the host for one repository, and stores what it says. */
export async function syncOne(
  transaction: ScmTransaction,
  { ref, open, at }: Omit<SyncRound, 'transaction'>,
  id: string,
): Promise<HostRepository | undefined> {
  const { config } = open;
  const repository = await converse(open.access, open.host.getRepository(id));
  if (repository && isInNamespace(repository, config)) {
    await transaction((tx) => saveRepositories(tx, ref, config, [repository]));
    await followDefaultBranches(transaction, ref, at);
    return repository;
  }
  const host = hostKey({ provider: config.provider, baseUrl: config.base_url });
  await markGone(transaction, { ref, host, at }, [id]);
  return undefined;
}
