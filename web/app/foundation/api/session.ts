import { useSyncExternalStore } from 'react';
import { parseJson } from './json-ids.ts';
import { Problem, problemFromResponse, unreachableProblem } from './problem.ts';

export interface SessionUser {
  id: string;
  email: string;
  name: string;
}

interface SessionReply {
  accessToken: string;
  user: SessionUser;
}

/** `unknown` until the first attempt to refresh with the cookie. */
export type SessionState = { kind: 'unknown' } | { kind: 'signed-out' } | { kind: 'signed-in'; user: SessionUser };

/** The access token is kept in memory only. */
let accessToken = '';
let state: SessionState = { kind: 'unknown' };
const listeners = new Set<() => void>();

function become(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function setSession(reply: SessionReply): void {
  accessToken = reply.accessToken;
  become({ kind: 'signed-in', user: reply.user });
}

export function clearSession(): void {
  accessToken = '';
  become({ kind: 'signed-out' });
}

export const currentSession = (): SessionState => state;

/** Calls the listener whenever the session changes. Returns the unsubscribe function. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const useSession = (): SessionState => useSyncExternalStore(subscribeToSession, currentSession);

export const authorizationHeader = (): Record<string, string> =>
  accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` };

/** Whether a different user has signed in since, in another tab. */
export const isDifferentUser = (now: SessionState, user: SessionUser): boolean =>
  now.kind === 'signed-in' && now.user.id !== user.id;

/** Reloads the page, because it shows data of the previous user. The promise never settles, so nothing continues. */
function reloadPage(): Promise<never> {
  location.reload();
  return new Promise(() => {});
}

async function sendRefresh(): Promise<boolean> {
  const response = await fetch('/api/auth/sessions/refresh', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }).catch(() => {
    throw unreachableProblem();
  });
  if (response.ok) {
    const reply = (await response.json()) as SessionReply;
    if (isDifferentUser(state, reply.user)) return reloadPage();
    setSession(reply);
    return true;
  }
  if (response.status !== 401 && response.status !== 403)
    throw problemFromResponse(response.status, await readJson(response));
  clearSession();
  return false;
}

let refreshing: Promise<boolean> | undefined;

/** Gets a new access token with the refresh cookie. Resolves to whether there is a session. */
export function refreshSession(): Promise<boolean> {
  // Reusing a refresh cookie revokes the session, so calls share one refresh and tabs refresh under a lock.
  refreshing ??= Promise.resolve(
    navigator.locks ? navigator.locks.request('parapet-refresh', sendRefresh) : sendRefresh(),
  ).finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}

export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === '' ? {} : parseJson(text);
  } catch {
    return {};
  }
}

const isExpired = (problem: Problem): boolean => problem.body.status === 401;

/** Sends a request; on 401 it refreshes the access token and sends the request once more. */
export async function withTokenRefresh<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Problem) || !isExpired(error) || state.kind !== 'signed-in') throw error;
    if (!(await refreshSession())) throw error;
    return send();
  }
}
