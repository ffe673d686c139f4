import { notify } from '#domain/notifications/store.ts';
import type { HostCheck } from './hosts/code-host.ts';
import { HostFailure } from './hosts/host-failure.ts';
import { checkHost, findCredential, NO_CREDENTIAL, type ScmServices, type ScmTransaction } from './open-host.ts';
import { type ConfigRef, findConfig, recordCheck, recordFailedCheck, type StoredScmConfig } from './scm-configs.ts';

/** What a check found out, or why it found out nothing. */
export type CheckResult = { kind: 'checked'; check: HostCheck } | { kind: 'failed'; failure: HostFailure };

/** The result of asking a host; anything but a failure of the host is thrown. */
export async function resultOf(asking: Promise<HostCheck>): Promise<CheckResult> {
  try {
    return { kind: 'checked', check: await asking };
  } catch (error) {
    if (error instanceof HostFailure) return { kind: 'failed', failure: error };
    throw error;
  }
}

/** Stores a result, and tells administrators once if a connection that worked does not work any more. */
export async function recordResult(
  transaction: ScmTransaction,
  { ref, before, at }: { ref: ConfigRef; before: Pick<StoredScmConfig, 'is_ok' | 'namespace'>; at: Date },
  result: CheckResult,
): Promise<void> {
  await transaction(async (tx) => {
    if (result.kind === 'checked') {
      await recordCheck(tx, ref, result.check, at);
      return;
    }
    const { failure } = result;
    await recordFailedCheck(tx, ref, { error: failure.message, at, isGone: failure.kind === 'gone' });
    // A host that is down for a while is no reason to disturb anybody.
    if (!before.is_ok || !['revoked', 'gone', 'refused'].includes(failure.kind)) return;
    await notify(tx, {
      deployment: ref.deployment,
      isAdminOnly: true,
      severity: 'SEVERITY_WARNING',
      title: `The connection to ${before.namespace} does not work any more`.slice(0, 200),
      description: failure.message.slice(0, 1000),
      link: '/settings/code-hosts',
      linkText: 'Code hosts',
    });
  });
}

/** Asks the host of a configuration about its credential, and stores what it says. */
export async function checkConfig(
  transaction: ScmTransaction,
  services: ScmServices,
  ref: ConfigRef,
  at: Date,
): Promise<CheckResult | undefined> {
  const found = await transaction(async (tx) => {
    const config = await findConfig(tx, ref);
    return config && { config, credential: await findCredential(tx, services, ref, config) };
  });
  if (!found) return undefined;
  const { config, credential } = found;
  const { provider, base_url: baseUrl, namespace } = config;
  const result: CheckResult = credential
    ? await resultOf(checkHost(services, { deployment: ref.deployment, provider, baseUrl, namespace, credential }))
    : { kind: 'failed', failure: new HostFailure('revoked', NO_CREDENTIAL) };
  await recordResult(transaction, { ref, before: config, at }, result);
  return result;
}
