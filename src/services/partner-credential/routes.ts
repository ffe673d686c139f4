import * as deployments from '#domain/deployments/store.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import type { Egress } from '#kernel/outbound/egress.ts';
import { withQuantizedDuration } from '#kernel/outbound/quantized-time.ts';
import * as contract from './contract.ts';
import { type CredentialRecipient, isSameRecipient, type PartnerCheckError, planCheck } from './rules.ts';
import * as store from './store.ts';
import { checkAtVendor } from './vendor-check.ts';

function refuseUrls(egress: Egress, recipient: CredentialRecipient): void {
  for (const member of ['apiUrl', 'tokenUrl'] as const) {
    if (egress.accepts(recipient[member])) continue;
    const errors = [{ pointer: `#/${member}`, code: 'URL_REFUSED', detail: 'is not a URL that this server calls' }];
    throw contract.PARTNER_URL_REFUSED({ member }, { errors });
  }
}

async function answerCredential({ tx, answer }: Pick<Call, 'tx' | 'answer'>, ref: store.PartnerCredentialRef) {
  const found = await store.find(tx, ref);
  if (!found) throw NOT_FOUND();
  const { version, ...partnerCredential } = found;
  answer.setEtag(version);
  return { partnerCredential };
}

type CheckCall = Pick<Call<typeof contract.validatePartnerCredential>, 'path' | 'body' | 'read' | 'services'>;

async function check({ path, body, read, services }: CheckCall): Promise<PartnerCheckError | undefined> {
  const ref = { deployment: path.deploymentId, id: body.id ?? '' };
  const stored = isInt64(ref.id) ? await read((tx) => store.findWithSecret(tx, services.keys, ref)) : undefined;
  const plan = planCheck(body, stored);
  if (plan.kind === 'incomplete') throw contract.PARTNER_CREDENTIAL_INCOMPLETE({ member: plan.member });
  if (plan.kind === 'refuse') return plan.error;
  const secret = plan.isStored && stored ? stored.secret : new Secret(body.clientSecret ?? '');
  return checkAtVendor({ egress: services.egress, tenant: path.deploymentId, recipient: plan.recipient, secret });
}

/** PartnerCredentialService: the credentials of a deployment for its cloud-security vendor. */
export const partner = group(
  'PartnerCredentialService',
  contract,
  {
    listPartnerCredentials: async ({ path, tx }) => ({
      partnerCredentials: await store.list(tx, path.deploymentId),
    }),

    createPartnerCredential: async ({ path, body, tx, services, answer }) => {
      const { clientSecret, clientId, apiUrl, tokenUrl } = body;
      const recipient = { clientId, apiUrl, tokenUrl };
      refuseUrls(services.egress, recipient);
      await deployments.lock(tx, path.deploymentId);
      if ((await store.countAll(tx, path.deploymentId)) >= contract.MAX_PARTNER_CREDENTIALS)
        throw contract.PARTNER_CREDENTIAL_QUOTA({ most: contract.MAX_PARTNER_CREDENTIALS });
      const entry = { deployment: path.deploymentId, recipient, secret: new Secret(clientSecret) };
      const id = await store.insert(tx, services.keys, entry);
      answer.recordEffect({ object: `partner-credential/${id}`, after: recipient });
      return answerCredential({ tx, answer }, { deployment: path.deploymentId, id });
    },

    validatePartnerCredential: ({ path, body, read, transact, services, answer }) =>
      withQuantizedDuration(services.sleep, async () => {
        const error = await check({ path, body, read, services });
        const reply = { valid: error === undefined, error: error ?? '' };
        const isNamed = body.id !== undefined && isInt64(body.id);
        answer.recordEffect({ object: `partner-credential/${isNamed ? body.id : 'unsaved'}`, after: reply });
        await transact(async () => {});
        return reply;
      }),

    deletePartnerCredential: async ({ path, tx, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.id };
      const before = await store.findForUpdate(tx, ref);
      if (!before || (await store.remove(tx, ref)) === 0) throw NOT_FOUND();
      answer.recordEffect({ object: `partner-credential/${path.id}`, before });
      return { success: true };
    },

    getPartnerCredential: ({ path, tx, answer }) =>
      answerCredential({ tx, answer }, { deployment: path.deploymentId, id: path.id }),

    updatePartnerCredential: async ({ path, body, tx, services, answer }) => {
      const { clientSecret, clientId, apiUrl, tokenUrl } = body;
      const recipient = { clientId, apiUrl, tokenUrl };
      const ref = { deployment: path.deploymentId, id: path.id };
      const before = await store.findForUpdate(tx, ref);
      if (!before) throw NOT_FOUND();
      answer.expectVersion(before.version);
      refuseUrls(services.egress, recipient);
      if (clientSecret === undefined && !isSameRecipient(before, recipient)) throw contract.PARTNER_SECRET_REQUIRED();
      if (clientSecret !== undefined) await store.setSecret(tx, services.keys, ref, new Secret(clientSecret));
      await store.update(tx, ref, recipient);
      const after = { ...recipient, hasNewSecret: clientSecret !== undefined };
      answer.recordEffect({ object: `partner-credential/${path.id}`, before, after });
      return answerCredential({ tx, answer }, ref);
    },
  },
  {
    objects: {
      id: async (tx, { deployment, id }) =>
        (await store.find(tx, { deployment, id })) ? new Set<string>() : undefined,
    },
  },
);
