import * as sessions from '#domain/accounts/sessions.ts';
import { type AdmittedPerson, admitPerson, planSignIn } from '#domain/sso/admit-person.ts';
import { type IdentityClaims, readIdentity, type VerifiedIdentity } from '#domain/sso/identity-claims.ts';
import type { ProviderAnswer } from '#domain/sso/protocols/oidc-client.ts';
import { finishFlow } from '#domain/sso/protocols/start-flow.ts';
import { claimOnce, clearedFlowCookie, flowIn, type SignInFlow, unsolicitedFlow } from '#domain/sso/sign-in-flow.ts';
import { findDeploymentOf, findSignInProvider, type SignInProvider } from '#domain/sso/sign-in-provider.ts';
import { type NewSsoAttempt, recordAttempt } from '#domain/sso/sso-attempts.ts';
import { SsoRefusal } from '#domain/sso/sso-refusal.ts';
import { recordSsoSession } from '#domain/sso/sso-sessions.ts';
import { listGroupRules } from '#domain/sso/sso-settings.ts';
import type { SsoGroupRule } from '#domain/sso/sso-shape.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { sessionReply } from './sign-in.ts';
import { type completeSignIn, SSO_REFUSED } from './sso-contract.ts';

type CompleteCall = Pick<
  Call<typeof completeSignIn>,
  'services' | 'answer' | 'now' | 'request' | 'read' | 'readIn' | 'transact' | 'body'
>;

/** What is known of an attempt so far; the log shows it whatever happens next. */
interface AttemptFacts {
  flow: SignInFlow;
  provider: SignInProvider;
  rules: readonly SsoGroupRule[];
  answer?: ProviderAnswer;
  identity?: VerifiedIdentity;
}

/** Completes a sign-in, a test or a link with what the browser brought back. */
export async function completeSso(call: CompleteCall) {
  const { services, request, answer, now, body } = call;
  answer.cookies.push(clearedFlowCookie);
  const begun = flowIn(services.keys, request.cookie, now);
  // Without the cookie nothing ties the answer to this browser, unless the provider may begin sign-ins.
  const flow = begun?.provider === body.providerId ? begun : await findUnsolicited(call);
  if (!flow) throw SSO_REFUSED();
  const found = await call.readIn(flow.deployment, async (tx) => {
    const provider = await findSignInProvider(tx, services.keys, flow);
    return provider && { provider, rules: await listGroupRules(tx, flow) };
  });
  if (!found) throw SSO_REFUSED();
  const facts: AttemptFacts = { flow, ...found };
  answer.actor = { ...anonymousCaller, deployment: flow.deployment };
  try {
    return await attempt(call, facts);
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error;
    return recordRefusal(call, facts, error);
  }
}

/** A sign-in that the provider began, if it may. */
async function findUnsolicited({ body, read, readIn, services, now }: CompleteCall): Promise<SignInFlow | undefined> {
  if (!body.parameters.startsWith('SAMLResponse=')) return undefined;
  const deployment = await read((tx) => findDeploymentOf(tx, body.providerId));
  if (deployment === undefined) return undefined;
  const ref = { deployment, provider: body.providerId };
  const provider = await readIn(deployment, (tx) => findSignInProvider(tx, services.keys, ref));
  return provider?.allowsIdpInitiated ? unsolicitedFlow({ ...ref, version: provider.version }, now) : undefined;
}

/** Tells the reason to administrators, and to somebody who tests the provider. */
async function recordRefusal(call: CompleteCall, facts: AttemptFacts, { check, message }: SsoRefusal) {
  const { answer, transact } = call;
  const { flow } = facts;
  answer.recordEffect({ object: `sso-provider/${flow.provider}`, after: { check } });
  const id = await transact(
    (tx) => recordAttempt(tx, attemptOf(call, facts, { failedCheck: check, detail: message })),
    SSO_REFUSED.code,
  );
  if (flow.mode === 'sign-in') throw SSO_REFUSED();
  return { outcome: 'tested' as const, next: flow.next, attemptId: id as Id<'SsoAttempt'> };
}

const attemptOf = (
  { now, request }: CompleteCall,
  { flow, answer, identity }: AttemptFacts,
  result: Partial<NewSsoAttempt>,
): NewSsoAttempt => ({
  ...{ deployment: flow.deployment, provider: flow.provider, mode: flow.mode, at: now, address: request.address },
  ...{ failedCheck: '', detail: '', role: '', teamIds: [] },
  email: identity?.email ?? textOf(answer?.claims['email']),
  subject: identity?.subject ?? textOf(answer?.claims['sub']),
  groups: identity?.groups ?? [],
  claims: flow.mode === 'test' && answer ? claimsText(answer.claims) : undefined,
  ...result,
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const claimsText = (claims: IdentityClaims): string => JSON.stringify(claims, undefined, 2).slice(0, 20_000);

const REMEMBERED_MS = 3_600_000;

/** Uses up a state or an assertion, on all servers of this database. */
async function claim(tx: Tx, { now }: CompleteCall, { deployment, provider }: SignInFlow, key: string): Promise<void> {
  const until = new Date(now.getTime() + REMEMBERED_MS);
  if (!(await claimOnce(tx, { deployment, provider, key, until }, now)))
    throw new SsoRefusal('used_once', 'The answer of the provider was used before.');
}

async function attempt(call: CompleteCall, facts: AttemptFacts) {
  const { services, now, body, transact, answer } = call;
  const { flow, provider } = facts;
  if (!provider.isEnabled && flow.mode === 'sign-in')
    throw new SsoRefusal('provider_enabled', 'The provider is disabled.');
  if (provider.version !== flow.version)
    throw new SsoRefusal('provider_enabled', 'The provider was changed while the person signed in.');
  answer.recordEffect({ object: `sso-provider/${flow.provider}` });
  // Committed before the code is redeemed, so that a second answer is refused even while the first is being checked.
  if (flow.state !== '') await transact((tx) => claim(tx, call, flow, `state ${flow.state}`));
  const parameters = body.parameters.replace(/^\?/, '');
  facts.answer = await finishFlow({ ...services, now }, provider, { flow, parameters });
  facts.identity = readIdentity(facts.answer.claims, { ...provider, issuer: facts.answer.issuer });
  const { identity, rules } = facts;
  const admittance = { provider, identity, rules, ...(flow.mode === 'link' && { linkTo: flow.account }) };
  if (flow.mode === 'test') {
    const { id } = await transact(async (tx) => {
      const { role, mapped, account } = await planSignIn(tx, admittance);
      const result = { role, teamIds: mapped.teamIds, account: account?.id };
      return { id: await recordAttempt(tx, attemptOf(call, facts, result)) };
    });
    return { outcome: 'tested' as const, next: flow.next, attemptId: id as Id<'SsoAttempt'> };
  }
  const { usedOnce } = facts.answer;
  return transact(async (tx) => {
    if (usedOnce !== undefined) await claim(tx, call, flow, usedOnce);
    const person = await admitPerson(tx, admittance);
    const { role, teamIds, account } = person;
    const id = await recordAttempt(tx, attemptOf(call, facts, { role, teamIds, account: account.id }));
    if (flow.mode === 'link') {
      answer.recordEffect({ object: `account/${account.id}`, after: { provider: provider.id } });
      return { outcome: 'linked' as const, next: flow.next, attemptId: id as Id<'SsoAttempt'> };
    }
    return { outcome: 'signed_in' as const, next: flow.next, session: await openSession(call, tx, facts, person) };
  });
}

/** Opens the session of an admitted person, and remembers that the provider opened it. */
async function openSession(
  call: CompleteCall,
  tx: Tx,
  { provider, answer: told, identity }: AttemptFacts,
  { account, role, teamIds }: AdmittedPerson,
) {
  const { request, services, answer } = call;
  const { address, userAgent } = request;
  const session = await sessions.create(tx, { account: account.id, address, userAgent });
  const { deployment, id } = provider;
  await recordSsoSession(tx, services.keys, {
    ...{ deployment, provider: id, session: session.id },
    ...{ issuer: identity?.issuer ?? '', subject: identity?.subject ?? '' },
    ...{ idpSession: told?.idpSession ?? '', signOutUrl: told?.signOutUrl ?? '' },
  });
  const reply = await sessionReply(call, session, account);
  answer.actor = { ...(answer.actor ?? anonymousCaller), deployment };
  answer.recordEffect({ object: `session/${session.id}`, after: { provider: id, role, teamIds } });
  return reply;
}
