import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import type { HostCheck } from './code-host.ts';
import { GITHUB, GithubId } from './github-host.ts';
import { scopesOfApp } from './github-scopes.ts';
import { type HostExchange, isSuccess, readReply, refusalOf } from './host-call.ts';
import { HostFailure } from './host-failure.ts';
import { encodePath, lineOf } from './host-paths.ts';

/** GitHub accepts at most ten minutes, and clocks differ. */
const LIFETIME_SECONDS = 540;
const CLOCK_DIFFERENCE_SECONDS = 60;

/** The credential of an app itself, as opposed to one of its installations. */
export async function signAppToken(app: { appId: string; privateKey: Secret }, now: Date): Promise<Secret> {
  const seconds = Math.floor(now.getTime() / 1000);
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(app.appId)
    .setIssuedAt(seconds - CLOCK_DIFFERENCE_SECONDS)
    .setExpirationTime(seconds + LIFETIME_SECONDS)
    .sign(createPrivateKey(reveal(app.privateKey)));
  return new Secret(token);
}

const Installation = z.looseObject({
  id: GithubId,
  account: z.looseObject({ id: GithubId }),
  target_type: z.string().default('Organization'),
  permissions: z.record(z.string(), z.string()).default({}),
  suspended_at: z.string().nullish(),
});

/** Where the app is installed in a namespace, and what it may do there. Asked with the credential of the app. */
export function* checkInstallation(path: string, app: { appId: string; slug: string }): HostExchange<HostCheck> {
  let reply = yield { method: 'GET', path: `/orgs/${encodePath(path)}/installation` };
  if (reply.status === 404) reply = yield { method: 'GET', path: `/users/${encodePath(path)}/installation` };
  if (reply.status === 404) throw new HostFailure('gone', `The app is not installed in ${path}.`, { status: 404 });
  const found = readReply(Installation, GITHUB, reply);
  return {
    account: { id: app.appId, login: `${app.slug}[bot]` },
    namespace: { path, kind: found.target_type === 'User' ? 'user' : 'org', id: found.account.id },
    scopes: scopesOfApp(found.permissions),
    installation: { id: found.id, isSuspended: found.suspended_at != null },
  };
}

const AccessToken = z.looseObject({ token: z.string() });

/** A token of an installation, valid for an hour. */
export function* createInstallationToken(installation: string): HostExchange<Secret> {
  const path = `/app/installations/${encodeURIComponent(installation)}/access_tokens`;
  return new Secret(readReply(AccessToken, GITHUB, yield { method: 'POST', path }).token);
}

const Conversion = z.looseObject({
  id: GithubId,
  slug: z.string(),
  name: z.string(),
  client_id: z.string(),
  webhook_secret: z.string().min(1),
  pem: z.string().min(1),
});

export interface ConvertedApp {
  appId: string;
  slug: string;
  name: string;
  clientId: string;
  webhookSecret: Secret;
  privateKey: Secret;
}

/** Ends the creation of an app from a manifest. A code works once, within an hour. */
export function* convertManifest(code: string): HostExchange<ConvertedApp> {
  const reply = yield { method: 'POST', path: `/app-manifests/${encodeURIComponent(code)}/conversions` };
  const made = readReply(Conversion, GITHUB, reply);
  return {
    appId: made.id,
    slug: lineOf(made.slug, 255),
    name: lineOf(made.name, 255),
    clientId: lineOf(made.client_id, 255),
    webhookSecret: new Secret(made.webhook_secret),
    privateKey: new Secret(made.pem),
  };
}

/** Replaces the secret of the webhook of the app. */
export function* setAppHookSecret(secret: Secret): HostExchange<void> {
  const body = { content_type: 'json', secret: reveal(secret) };
  const reply = yield { method: 'PATCH', path: '/app/hook/config', body };
  if (!isSuccess(reply)) throw refusalOf(GITHUB, reply);
}
