import * as deployments from '#domain/deployments/store.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { type Call, group } from '#kernel/http/group.ts';
import { inSteps } from '#kernel/outbound/steps.ts';
import * as contract from './contract.ts';
import { testProvider } from './discovery.ts';
import { isSecretMisled, MASK, problemsOf, type SecretChange, secretChangeOf, wantedOf } from './rules.ts';
import * as store from './store.ts';

function refuse(errors: FieldError[]): void {
  const [first] = errors;
  if (!first) return;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  throw contract.SSO_PROVIDER_REFUSED({ count, first: `${first.pointer} ${first.detail}` }, { errors });
}

type Writing = Pick<Call, 'tx' | 'answer' | 'powers'>;

async function changeSecret({ tx, powers }: Writing, place: store.Place, change: SecretChange): Promise<void> {
  if (change.kind === 'keep') return;
  const secret = change.kind === 'set' ? new Secret(change.text) : undefined;
  await store.setSecret(tx, powers.keys, place, secret);
}

async function answerEntry({ tx, answer }: Pick<Call, 'tx' | 'answer'>, place: store.Place) {
  const found = await store.find(tx, place);
  if (!found) throw NOT_FOUND();
  const { version, ...provider } = found;
  answer.tag(version);
  return { provider };
}

/** DeploymentSsoProvidersService: through whom people sign in. */
export const sso = group(
  'DeploymentSsoProvidersService',
  contract,
  {
    listDeploymentSsoProviders: async ({ path, tx }) => ({ providers: await store.list(tx, path.deploymentId) }),

    createDeploymentSsoProvider: async ({ path, body, tx, powers, answer }) => {
      const wanted = wantedOf(body.provider);
      const change = secretChangeOf(body.provider);
      const isMask = body.provider.openidData?.clientSecret === MASK;
      const masked = { pointer: '#/provider/openidData/clientSecret', code: 'MASK', detail: 'is the mask of a secret' };
      refuse([...(isMask ? [masked] : []), ...problemsOf(wanted, change, (url) => powers.egress.accepts(url))]);
      await deployments.lock(tx, path.deploymentId);
      if ((await store.total(tx, path.deploymentId)) >= contract.MOST_PROVIDERS)
        throw contract.SSO_PROVIDER_QUOTA({ most: contract.MOST_PROVIDERS });
      const id = await store.insert(tx, path.deploymentId, { wanted, isEnabled: body.enabled ?? false });
      if (id === undefined) throw contract.SSO_PROVIDER_NAME_TAKEN({ name: wanted.name });
      const place = { deployment: path.deploymentId, id };
      await changeSecret({ tx, answer, powers }, place, change);
      answer.changed({ object: `sso-provider/${id}`, after: wanted });
      return answerEntry({ tx, answer }, place);
    },

    updateDeploymentSsoProvider: async ({ path, body, tx, powers, answer }) => {
      const place = { deployment: path.deploymentId, id: path.providerId };
      const wanted = wantedOf(body.provider);
      const change = secretChangeOf(body.provider);
      await deployments.lock(tx, path.deploymentId);
      const before = (await store.lockProvider(tx, place)) && (await store.find(tx, place));
      if (!before) throw NOT_FOUND();
      answer.expectVersion(before.version);
      refuse(problemsOf(wanted, change, (url) => powers.egress.accepts(url)));
      if (isSecretMisled(before.provider, wanted, change)) throw contract.SSO_SECRET_REQUIRED();
      if (!(await store.update(tx, place, { wanted, isEnabled: body.enabled ?? false })))
        throw contract.SSO_PROVIDER_NAME_TAKEN({ name: wanted.name });
      await changeSecret({ tx, answer, powers }, place, change);
      const after = { ...wanted, enabled: body.enabled ?? false, secret: change.kind };
      answer.changed({ object: `sso-provider/${path.providerId}`, before, after });
      return answerEntry({ tx, answer }, place);
    },

    deleteDeploymentSsoProvider: async ({ path, tx, answer }) => {
      const place = { deployment: path.deploymentId, id: path.providerId };
      const before = await store.find(tx, place);
      if (!before || (await store.remove(tx, place)) === 0) throw NOT_FOUND();
      answer.changed({ object: `sso-provider/${path.providerId}`, before });
      return {};
    },

    testDeploymentSsoProvider: async ({ path, consult, transact, powers, answer, now }) => {
      const place = { deployment: path.deploymentId, id: path.providerId };
      const entry = await consult((tx) => store.find(tx, place));
      if (!entry) throw NOT_FOUND();
      return inSteps(powers.pause, async () => {
        const error = await testProvider(entry.provider, { egress: powers.egress, tenant: path.deploymentId, now });
        const reply = { valid: error === undefined, error: error ?? '' };
        answer.changed({ object: `sso-provider/${path.providerId}`, after: reply });
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
