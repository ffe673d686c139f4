import type { z } from 'zod';
import type { Database } from '#kernel/db/database.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { checkConfig } from './check-config.ts';
import type { HostPullRequest } from './hosts/code-host.ts';
import { converse } from './hosts/host-call.ts';
import { HostFailure } from './hosts/host-failure.ts';
import { type OpenConfig, openConfig, type ScmServices, type ScmTransaction } from './open-host.ts';
import { scmEventJob } from './receive-delivery.ts';
import type { ConfigRef } from './scm-configs.ts';
import { hostKey } from './scm-types.ts';
import { syncConfig, syncOne } from './sync-repositories.ts';

type EventPayload = z.output<typeof scmEventJob.payload>;

/** Stores a pull request of a repository that is known. */
const savePullRequest = (
  transaction: ScmTransaction,
  { deployment, host, repository, at }: { deployment: string; host: string; repository: string; at: Date },
  pull: HostPullRequest,
) =>
  transaction(
    (tx) => tx.run`
      insert into scm_pull_request (deployment_id, host, external_id, number, title, state, is_draft, is_fork,
        head_sha, head_ref, base_ref, author, url, seen_at)
      select ${deployment}, ${host}, ${repository}, ${pull.number}, ${pull.title}, ${pull.state}, ${pull.isDraft},
        ${pull.isFork}, ${pull.headSha}, ${pull.headRef}, ${pull.baseRef}, ${pull.author}, ${pull.url}, ${at}
      on conflict (deployment_id, host, external_id, number) do update set title = excluded.title,
        state = excluded.state, is_draft = excluded.is_draft, is_fork = excluded.is_fork,
        head_sha = excluded.head_sha, head_ref = excluded.head_ref, base_ref = excluded.base_ref,
        author = excluded.author, url = excluded.url, seen_at = excluded.seen_at
      where scm_pull_request.seen_at <= excluded.seen_at`,
  );

/** Asks the host what a delivery was about, and stores what it says: an old or forged event costs one question. */
export async function handleEvent(
  transaction: ScmTransaction,
  services: ScmServices,
  { ref, payload, at }: { ref: ConfigRef; payload: EventPayload; at: Date },
): Promise<void> {
  if (payload.event === 'installation') {
    const result = await checkConfig(transaction, services, ref, at);
    if (result?.kind === 'checked') await syncConfig(transaction, services, { ref, at });
    return;
  }
  const open = await openConfig(transaction, services, ref);
  if (!open) return;
  const repository = await syncOne(transaction, { ref, open, at }, payload.repository);
  if (repository && payload.event === 'pull_request')
    await seePullRequest(transaction, { ref, open, at }, payload, repository);
}

async function seePullRequest(
  transaction: ScmTransaction,
  { ref, open, at }: { ref: ConfigRef; open: OpenConfig; at: Date },
  { number }: EventPayload,
  repository: { id: string; name: string },
): Promise<void> {
  const { config, access } = open;
  const pull = await converse(access, open.host.getPullRequest(repository, number));
  if (!pull) return;
  const host = hostKey({ provider: config.provider, baseUrl: config.base_url });
  await savePullRequest(transaction, { deployment: ref.deployment, host, repository: repository.id, at }, pull);
}

export const scmEventHandler = (db: Database, services: ScmServices): JobHandler =>
  jobHandler(scmEventJob, async ({ deployment, payload }) => {
    const transaction: ScmTransaction = (work) => db.transaction({ role: 'app', deployment, isRead: false }, work);
    const ref = { deployment, id: payload.config };
    try {
      await handleEvent(transaction, services, { ref, payload, at: new Date() });
    } catch (error) {
      // A credential that is not accepted is noticed and told by the next check; the event is not lost with it.
      const isLasting = error instanceof HostFailure && ['refused', 'revoked', 'gone'].includes(error.kind);
      if (!isLasting) throw error;
    }
  });
