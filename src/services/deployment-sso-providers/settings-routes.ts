import { LEAST_ROLE, mapGroups } from '#domain/sso/group-mapping.ts';
import { samlAddressesOf } from '#domain/sso/protocols/saml-client.ts';
import { readIdpMetadata } from '#domain/sso/protocols/saml-metadata.ts';
import { startFlow } from '#domain/sso/protocols/start-flow.ts';
import { redirectUriOf } from '#domain/sso/sign-in-flow.ts';
import { findSignInProvider } from '#domain/sso/sign-in-provider.ts';
import { listAttempts, listTeamNames } from '#domain/sso/sso-attempts.ts';
import * as domains from '#domain/sso/sso-domains.ts';
import { SsoRefusal } from '#domain/sso/sso-refusal.ts';
import { endSessionsOfProvider } from '#domain/sso/sso-sessions.ts';
import * as settings from '#domain/sso/sso-settings.ts';
import type { SsoGroupRule } from '#domain/sso/sso-shape.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';
import { MAX_CHECK_MS, withQuantizedDuration } from '#kernel/outbound/quantized-time.ts';
import { readCertificate } from './rules.ts';
import * as contract from './settings-contract.ts';
import * as store from './store.ts';

async function answerSettings(
  { tx, answer, services }: Pick<Call, 'tx' | 'answer' | 'services'>,
  ref: settings.SettingsRef,
) {
  const found = await settings.findSettings(tx, ref);
  if (!found) throw NOT_FOUND();
  const { version, isEmailTrusted, ...rest } = found;
  answer.setEtag(version);
  const { baseUrl } = services;
  const provider = await findSignInProvider(tx, services.keys, ref);
  if (!provider) throw NOT_FOUND();
  const saml = samlAddressesOf(baseUrl, provider);
  return {
    signIn: {
      ...rest,
      trustsEmail: isEmailTrusted,
      redirectUri: redirectUriOf(baseUrl, ref.provider),
      backChannelLogoutUri: `${baseUrl}/api/auth/sso/logout/${ref.provider}`,
      postLogoutRedirectUri: `${baseUrl}/sign-in`,
      samlEntityId: saml.entityId,
      samlAcsUrl: saml.acs,
      samlMetadataUrl: saml.metadata,
    },
  };
}

/** The errors of group rules: groups named twice, and teams that do not exist. */
async function errorsOf(tx: Tx, deployment: string, rules: readonly SsoGroupRule[]): Promise<FieldError[]> {
  const unknown = await settings.findUnknownTeams(
    tx,
    deployment,
    rules.flatMap(({ teamIds }) => teamIds),
  );
  const seen = new Set<string>();
  return rules.flatMap(({ group: name, teamIds }, index) => {
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...(isRepeated
        ? [{ pointer: `#/groups/${index}/group`, code: 'REPEATED', detail: 'is the group of another rule' }]
        : []),
      ...(teamIds.some((team) => unknown.has(team))
        ? [{ pointer: `#/groups/${index}/teamIds`, code: 'UNKNOWN_TEAM', detail: 'names a team that does not exist' }]
        : []),
    ];
  });
}

const refOf = (path: { deploymentId: string; providerId: string }): settings.SettingsRef => ({
  deployment: path.deploymentId,
  provider: path.providerId,
});

/** SsoSettingsService: how people sign in with the identity providers of a deployment. */
export const ssoSettings = group(
  'SsoSettingsService',
  contract,
  {
    getSsoSignIn: ({ path, tx, answer, services }) => answerSettings({ tx, answer, services }, refOf(path)),

    updateSsoSignIn: async ({ path, body, tx, answer, services }) => {
      const ref = refOf(path);
      const { deployment, provider } = ref;
      if (!(await store.lockProvider(tx, { deployment, id: provider }))) throw NOT_FOUND();
      const before = await settings.findSettings(tx, ref);
      if (!before) throw NOT_FOUND();
      answer.expectVersion(before.version);
      const isCertificate = body.secondCertificate === '' || readCertificate(body.secondCertificate) !== undefined;
      const detail = 'is not a single X.509 certificate';
      refuseFieldErrors(contract.SSO_SETTINGS_REFUSED, [
        ...(isCertificate ? [] : [{ pointer: '#/secondCertificate', code: 'NOT_A_CERTIFICATE', detail }]),
        ...(await errorsOf(tx, deployment, body.groups)),
      ]);
      const { trustsEmail: isEmailTrusted, ...rest } = body;
      await settings.saveSettings(tx, ref, { ...rest, isEmailTrusted });
      const endedSessions = await endSessionsOfProvider(tx, ref);
      answer.recordEffect({ object: `sso-provider/${provider}`, before, after: { ...body, endedSessions } });
      return answerSettings({ tx, answer, services }, ref);
    },

    previewSsoGroups: async ({ path, body, tx }) => {
      const rules = body.rules ?? (await settings.listGroupRules(tx, refOf(path)));
      const { role, teamIds, matched } = mapGroups(rules, body.memberOf);
      return { role: role ?? LEAST_ROLE, teams: await listTeamNames(tx, path.deploymentId, teamIds), matched };
    },

    startSsoTest: async ({ path, body, caller, read, transact, services, answer, now }) => {
      const provider = await read((tx) => findSignInProvider(tx, services.keys, refOf(path)));
      if (!provider) throw NOT_FOUND();
      const mode = body.link === true ? ('link' as const) : ('test' as const);
      try {
        const { redirectUrl, cookie } = await startFlow(
          { ...services, now },
          { provider, mode, account: caller.userId, next: '' },
        );
        answer.cookies.push(cookie);
        answer.recordEffect({ object: `sso-provider/${provider.id}`, after: { mode } });
        await transact(async () => {});
        return { redirectUrl };
      } catch (error) {
        if (error instanceof SsoRefusal) throw contract.SSO_NOT_STARTED({ detail: error.message });
        throw error;
      }
    },

    readSamlMetadata: async ({ path, body, services }) => {
      const { metadata = '', url = '' } = body;
      const read = (text: string) => {
        const found = readIdpMetadata(text);
        if (!found) throw contract.SAML_METADATA_REFUSED();
        return found;
      };
      if (url === '') return read(metadata);
      return withQuantizedDuration(services.sleep, async () => {
        const request = { url, method: 'GET' as const, tenant: path.deploymentId, timeoutMs: MAX_CHECK_MS };
        const reply = await services.egress.request(request).catch((error: unknown) => {
          if (error instanceof EgressFailure) throw contract.SAML_METADATA_REFUSED();
          throw error;
        });
        return read(reply.body.toString('utf8'));
      });
    },

    listSsoAttempts: async ({ path, query, tx }) => ({
      attempts: await listAttempts(tx, path.deploymentId, { provider: query.providerId }),
    }),

    listSsoDomains: async ({ path, tx, services }) => ({
      domains: await domains.listDomains(tx, services.keys, path.deploymentId),
    }),

    addSsoDomain: async ({ path, body, tx, services, answer }) => {
      const ref = { deployment: path.deploymentId, domain: body.domain.toLowerCase() };
      await lockLimit(tx, { deployment: ref.deployment, limit: 'domains' });
      const isNew = !(await domains.findDomain(tx, services.keys, ref));
      if (isNew && (await domains.countDomains(tx, ref.deployment)) >= contract.MAX_SSO_DOMAINS)
        throw contract.SSO_DOMAIN_QUOTA({ most: contract.MAX_SSO_DOMAINS });
      await domains.addDomain(tx, ref);
      const domain = await domains.findDomain(tx, services.keys, ref);
      if (!domain) throw NOT_FOUND();
      answer.recordEffect({ object: `sso-domain/${domain.domain}`, after: domain });
      return { domain };
    },

    verifySsoDomain: async ({ path, body, read, transact, services, answer, now }) => {
      const ref = { deployment: path.deploymentId, domain: body.domain.toLowerCase() };
      const before = await read((tx) => domains.findDomain(tx, services.keys, ref));
      if (!before) throw NOT_FOUND();
      const records = before.provedAt ? [] : await services.resolveTxt(before.recordName).catch(() => []);
      answer.recordEffect({ object: `sso-domain/${ref.domain}`, before });
      if (!before.provedAt && !domains.isProof(before, records))
        throw contract.SSO_DOMAIN_NOT_PROVED({ record: before.recordName });
      return transact(async (tx) => {
        if (!before.provedAt && !(await domains.proveDomain(tx, ref, now)))
          throw contract.SSO_DOMAIN_TAKEN({ domain: ref.domain });
        const domain = await domains.findDomain(tx, services.keys, ref);
        if (!domain) throw NOT_FOUND();
        return { domain };
      });
    },

    deleteSsoDomain: async ({ path, tx, services, answer }) => {
      const ref = { deployment: path.deploymentId, domain: path.domain.toLowerCase() };
      const before = await domains.findDomain(tx, services.keys, ref);
      if (!before || (await domains.removeDomain(tx, ref)) === 0) throw NOT_FOUND();
      answer.recordEffect({ object: `sso-domain/${ref.domain}`, before });
      return {};
    },
  },
  {
    objects: {
      providerId: async (tx, { deployment, id }) =>
        (await store.find(tx, { deployment, id })) ? new Set<string>() : undefined,
    },
  },
);
