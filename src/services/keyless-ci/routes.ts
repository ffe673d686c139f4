import { IssuerUnusable } from '#kernel/auth/issuer-keys.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { exchange } from './exchange.ts';
import { validateTrust } from './rules.ts';
import * as store from './store.ts';

async function answerTrust({ tx, answer }: Pick<Call, 'tx' | 'answer'>, ref: store.TrustRef) {
  const found = await store.find(tx, ref);
  if (!found) throw NOT_FOUND();
  const { version, deployment: _, ...trust } = found;
  answer.setEtag(version);
  return { trust };
}

const draftOf = (body: store.TrustDraft): store.TrustDraft => ({
  ...body,
  name: body.name.trim(),
  project: body.project.trim(),
});

/** KeylessCiService: scanner tokens for CI jobs, without a secret in CI. */
export const keylessCi = group(
  'KeylessCiService',
  contract,
  {
    listCiTrusts: async ({ path, tx }) => ({ trusts: await store.list(tx, path.deploymentId) }),

    createCiTrust: async ({ path, body, tx, services, answer }) => {
      const deployment = path.deploymentId;
      const draft = draftOf(body);
      refuseFieldErrors(
        contract.CI_TRUST_REFUSED,
        validateTrust(draft, (url) => services.egress.accepts(url)),
      );
      await lockLimit(tx, { deployment, limit: 'ci-trusts' });
      if ((await store.countAll(tx, deployment)) >= contract.MAX_CI_TRUSTS)
        throw contract.CI_TRUST_QUOTA({ most: contract.MAX_CI_TRUSTS });
      const id = await store.insert(tx, deployment, draft);
      answer.recordEffect({ object: `ci-trust/${id}`, after: draft });
      return answerTrust({ tx, answer }, { deployment, id });
    },

    updateCiTrust: async ({ path, body, tx, services, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.ciTrustId };
      const before = await store.findForUpdate(tx, ref);
      if (!before) throw NOT_FOUND();
      answer.expectVersion(before.version);
      const draft = draftOf(body);
      refuseFieldErrors(
        contract.CI_TRUST_REFUSED,
        validateTrust(draft, (url) => services.egress.accepts(url)),
      );
      await store.update(tx, ref, draft);
      answer.recordEffect({ object: `ci-trust/${ref.id}`, before, after: draft });
      return answerTrust({ tx, answer }, ref);
    },

    deleteCiTrust: async ({ path, tx, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.ciTrustId };
      const before = await store.find(tx, ref);
      if (!before || (await store.remove(tx, ref)) === 0) throw NOT_FOUND();
      answer.recordEffect({ object: `ci-trust/${ref.id}`, before });
      return {};
    },

    exchangeCiToken: async (call) => {
      try {
        return await exchange(call);
      } catch (error) {
        if (error instanceof IssuerUnusable) throw contract.CI_ISSUER_UNAVAILABLE({ reason: error.message });
        throw error;
      }
    },
  },
  {
    objects: {
      ciTrustId: async (tx, { deployment, id }) =>
        (await store.find(tx, { deployment, id })) ? new Set<string>() : undefined,
    },
  },
);
