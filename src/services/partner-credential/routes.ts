import * as deployments from '#domain/deployments/store.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { isInt64 } from '#kernel/contract/words.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { type Call, group } from '#kernel/http/group.ts';
import type { Egress } from '#kernel/outbound/client.ts';
import { inSteps } from '#kernel/outbound/steps.ts';
import * as contract from './contract.ts';
import { type CheckError, isSameRecipient, planCheck, type Recipient } from './rules.ts';
import * as store from './store.ts';
import { checkAtVendor } from './vendor.ts';

function refuseUrls(egress: Egress, recipient: Recipient): void {
  for (const member of ['apiUrl', 'tokenUrl'] as const) {
    if (egress.accepts(recipient[member])) continue;
    const errors = [
      { pointer: `#/${member}`, code: 'URL_REFUSED', detail: 'is not an address that this server calls' },
    ];
    throw contract.PARTNER_URL_REFUSED({ member }, { errors });
  }
}

async function answerCredential({ tx, answer }: Pick<Call, 'tx' | 'answer'>, place: store.Place) {
  const found = await store.find(tx, place);
  if (!found) throw NOT_FOUND();
  const { version, ...partnerCredential } = found;
  answer.tag(version);
  return { partnerCredential };
}

type CheckCall = Pick<Call<typeof contract.validatePartnerCredential>, 'path' | 'body' | 'consult' | 'powers'>;

async function check({ path, body, consult, powers }: CheckCall): Promise<CheckError | undefined> {
  const place = { deployment: path.deploymentId, id: body.id ?? '' };
  const stored = isInt64(place.id) ? await consult((tx) => store.findWithSecret(tx, powers.keys, place)) : undefined;
  const plan = planCheck(body, stored);
  if (plan.kind === 'incomplete') throw contract.PARTNER_CREDENTIAL_INCOMPLETE({ member: plan.member });
  if (plan.kind === 'refuse') return plan.error;
  const secret = plan.isStored && stored ? stored.secret : new Secret(body.clientSecret ?? '');
  return checkAtVendor({ egress: powers.egress, tenant: path.deploymentId, recipient: plan.recipient, secret });
}

/** PartnerCredentialService: how the server authenticates against a cloud-security vendor. */
export const partner = group(
  'PartnerCredentialService',
  contract,
  {
    listPartnerCredentials: async ({ path, tx }) => ({
      partnerCredentials: await store.list(tx, path.deploymentId),
    }),

    createPartnerCredential: async ({ path, body, tx, powers, answer }) => {
      const { clientSecret, clientId, apiUrl, tokenUrl } = body;
      const recipient = { clientId, apiUrl, tokenUrl };
      refuseUrls(powers.egress, recipient);
      await deployments.lock(tx, path.deploymentId);
      if ((await store.total(tx, path.deploymentId)) >= contract.MOST_CREDENTIALS)
        throw contract.PARTNER_CREDENTIAL_QUOTA({ most: contract.MOST_CREDENTIALS });
      const made = { deployment: path.deploymentId, recipient, secret: new Secret(clientSecret) };
      const id = await store.insert(tx, powers.keys, made);
      answer.changed({ object: `partner-credential/${id}`, after: recipient });
      return answerCredential({ tx, answer }, { deployment: path.deploymentId, id });
    },

    validatePartnerCredential: ({ path, body, consult, transact, powers, answer }) =>
      inSteps(powers.pause, async () => {
        const error = await check({ path, body, consult, powers });
        const reply = { valid: error === undefined, error: error ?? '' };
        const isNamed = body.id !== undefined && isInt64(body.id);
        answer.changed({ object: `partner-credential/${isNamed ? body.id : 'unsaved'}`, after: reply });
        await transact(async () => {});
        return reply;
      }),

    deletePartnerCredential: async ({ path, tx, answer }) => {
      const place = { deployment: path.deploymentId, id: path.id };
      const before = await store.findForUpdate(tx, place);
      if (!before || (await store.remove(tx, place)) === 0) throw NOT_FOUND();
      answer.changed({ object: `partner-credential/${path.id}`, before });
      return { success: true };
    },

    getPartnerCredential: ({ path, tx, answer }) =>
      answerCredential({ tx, answer }, { deployment: path.deploymentId, id: path.id }),

    updatePartnerCredential: async ({ path, body, tx, powers, answer }) => {
      const { clientSecret, clientId, apiUrl, tokenUrl } = body;
      const recipient = { clientId, apiUrl, tokenUrl };
      const place = { deployment: path.deploymentId, id: path.id };
      const before = await store.findForUpdate(tx, place);
      if (!before) throw NOT_FOUND();
      answer.expectVersion(before.version);
      refuseUrls(powers.egress, recipient);
      if (clientSecret === undefined && !isSameRecipient(before, recipient)) throw contract.PARTNER_SECRET_REQUIRED();
      if (clientSecret !== undefined) await store.setSecret(tx, powers.keys, place, new Secret(clientSecret));
      await store.update(tx, place, recipient);
      const after = { ...recipient, hasNewSecret: clientSecret !== undefined };
      answer.changed({ object: `partner-credential/${path.id}`, before, after });
      return answerCredential({ tx, answer }, place);
    },
  },
  {
    objects: {
      id: async (tx, { deployment, id }) =>
        (await store.find(tx, { deployment, id })) ? new Set<string>() : undefined,
    },
  },
);
