import * as deployments from '#domain/deployments/store.ts';
import { endSessionsOfProvider } from '#domain/sso/sso-sessions.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { withQuantizedDuration } from '#kernel/outbound/quantized-time.ts';
import * as contract from './contract.ts';
import { testProvider } from './discovery.ts';
import {
  draftOf,
  isSecretRequired,
  SECRET_MASK,
  type SsoSecretChange,
  secretChangeOf,
  validateProvider,
} from './rules.ts';
import * as store from './store.ts';

type WriteCall = Pick<Call, 'tx' | 'answer' | 'services'>;

async function changeSecret(
  { tx, services }: WriteCall,
  ref: store.SsoProviderRef,
  change: SsoSecretChange,
): Promise<void> {
  if (change.kind === 'keep') return;
  const secret = change.kind === 'set' ? new Secret(change.text) : undefined;
  await store.setSecret(tx, services.keys, ref, secret);
}

async function answerProvider({ tx, answer }: Pick<Call, 'tx' | 'answer'>, ref: store.SsoProviderRef) {
  const found = await store.find(tx, ref);
  if (!found) throw NOT_FOUND();
  const { version, ...provider } = found;
  answer.setEtag(version);
  return { provider };
}

/** DeploymentSsoProvidersService: the identity providers of a deployment. */
export const sso = group(
  'DeploymentSsoProvidersService',
  contract,
  {
    listDeploymentSsoProviders: async ({ path, tx }) => ({ providers: await store.list(tx, path.deploymentId) }),

    createDeploymentSsoProvider: async ({ path, body, tx, services, answer }) => {
      const draft = draftOf(body.provider);
      const change = secretChangeOf(body.provider);
      const isMask = body.provider.openidData?.clientSecret === SECRET_MASK;
      const masked = { pointer: '#/provider/openidData/clientSecret', code: 'MASK', detail: 'is the mask of a secret' };
      refuseFieldErrors(contract.SSO_PROVIDER_REFUSED, [
        ...(isMask ? [masked] : []),
        ...validateProvider(draft, change, (url) => services.egress.accepts(url)),
      ]);
      await deployments.lock(tx, path.deploymentId);
      if ((await store.countAll(tx, path.deploymentId)) >= contract.MAX_SSO_PROVIDERS)
        throw contract.SSO_PROVIDER_QUOTA({ most: contract.MAX_SSO_PROVIDERS });
      const id = await store.insert(tx, path.deploymentId, { draft, isEnabled: body.enabled ?? false });
      if (id === undefined) throw contract.SSO_PROVIDER_NAME_TAKEN({ name: draft.name });
      const ref = { deployment: path.deploymentId, id };
      await changeSecret({ tx, answer, services }, ref, change);
      answer.recordEffect({ object: `sso-provider/${id}`, after: draft });
      return answerProvider({ tx, answer }, ref);
    },

    updateDeploymentSsoProvider: async ({ path, body, tx, services, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.providerId };
      const draft = draftOf(body.provider);
      const change = secretChangeOf(body.provider);
      await deployments.lock(tx, path.deploymentId);
      const before = (await store.lockProvider(tx, ref)) && (await store.find(tx, ref));
      if (!before) throw NOT_FOUND();
      answer.expectVersion(before.version);
      refuseFieldErrors(
        contract.SSO_PROVIDER_REFUSED,
        validateProvider(draft, change, (url) => services.egress.accepts(url)),
      );
      if (isSecretRequired(before.provider, draft, change)) throw contract.SSO_SECRET_REQUIRED();
      if (!(await store.update(tx, ref, { draft, isEnabled: body.enabled ?? false })))
        throw contract.SSO_PROVIDER_NAME_TAKEN({ name: draft.name });
      await changeSecret({ tx, answer, services }, ref, change);
      await endSessionsOfProvider(tx, { deployment: ref.deployment, provider: ref.id });
      const after = { ...draft, enabled: body.enabled ?? false, secret: change.kind };
      answer.recordEffect({ object: `sso-provider/${path.providerId}`, before, after });
      return answerProvider({ tx, answer }, ref);
    },

    deleteDeploymentSsoProvider: async ({ path, tx, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.providerId };
      const before = await store.find(tx, ref);
      if (!before) throw NOT_FOUND();
      await endSessionsOfProvider(tx, { deployment: ref.deployment, provider: ref.id });
      if ((await store.remove(tx, ref)) === 0) throw NOT_FOUND();
      answer.recordEffect({ object: `sso-provider/${path.providerId}`, before });
      return {};
    },

    testDeploymentSsoProvider: async ({ path, read, transact, services, answer, now }) => {
      const ref = { deployment: path.deploymentId, id: path.providerId };
      const entry = await read((tx) => store.find(tx, ref));
      if (!entry) throw NOT_FOUND();
      return withQuantizedDuration(services.sleep, async () => {
        const error = await testProvider(entry.provider, { egress: services.egress, tenant: path.deploymentId, now });
        const reply = { valid: error === undefined, error: error ?? '' };
        answer.recordEffect({ object: `sso-provider/${path.providerId}`, after: reply });
        await transact(async () => {});
        return reply;
      });
    },
  },
  {
    objects: {
      providerId: async (tx, { deployment, id }) =>
        (await store.find(tx, { deployment, id })) ? new Set<string>() : undefined,
    },
  },
);
