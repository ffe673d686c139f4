import { z } from 'zod';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';
import type { Tx } from '#kernel/db/tx.ts';

const PURPOSE = 'sso-sign-out';

export interface SsoSession {
  deployment: string;
  provider: string;
  session: string;
  issuer: string;
  subject: string;
  idpSession: string;
  signOutUrl: string;
}

/** Remembers which provider opened a session, and how to sign out there. */
export const recordSsoSession = (tx: Tx, keys: KeyRing, session: SsoSession): Promise<number> =>
  tx.run`
    insert into sso_session (deployment_id, session_id, provider_id, issuer, subject, idp_session, sign_out)
    values (${session.deployment}, ${session.session}, ${session.provider}, ${session.issuer}, ${session.subject},
            ${session.idpSession},
            ${session.signOutUrl === '' ? null : seal(keys.derive('sso-flow'), PURPOSE, session.signOutUrl)})`;

const SignOut = z.object({ text: z.string() });

/** Where a session signs out at its provider; undefined if no provider opened it, or it offers no sign-out. */
export async function findSignOutUrl(tx: Tx, keys: KeyRing, session: string): Promise<string | undefined> {
  const row = await tx.one(SignOut)`
    select sign_out as text from sso_session where session_id = ${session} and sign_out is not null limit 1`;
  return row && unseal(keys.derive('sso-flow'), PURPOSE, row.text)?.toString('utf8');
}

/** Ends the sessions that a provider opened: after a change of its settings nobody stays signed in by the old ones. */
export const endSessionsOfProvider = (tx: Tx, { deployment, provider }: { deployment: string; provider: string }) =>
  tx.run`
    update session set ended_at = now()
    where ended_at is null and id in (
      select session_id from sso_session where deployment_id = ${deployment} and provider_id = ${provider})`;

/** Ends the sessions of a person at a provider, or the one that the provider names. */
export const endSessionsOfSubject = (
  tx: Tx,
  at: Pick<SsoSession, 'deployment' | 'provider' | 'issuer' | 'subject' | 'idpSession'>,
): Promise<number> =>
  tx.run`
    update session set ended_at = now()
    where ended_at is null and id in (
      select session_id from sso_session
      where deployment_id = ${at.deployment} and provider_id = ${at.provider} and issuer = ${at.issuer}
        and (${at.subject} = '' or subject = ${at.subject})
        and (${at.idpSession} = '' or idp_session = ${at.idpSession}))`;
