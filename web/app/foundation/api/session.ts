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

/** `unknown` until the refresh cookie has been tried once. */
export type SessionState = { kind: 'unknown' } | { kind: 'signed-out' } | { kind: 'signed-in'; user: SessionUser };

/** The access token lives here, in memory, and nowhere else. */
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

/** Calls the listener when the session changes; what it returns ends that. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const useSession = (): SessionState => useSyncExternalStore(subscribeToSession, currentSession);

export const authorizationHeader = (): Record<string, string> =>
  accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` };

/** Whether another person than the one of this page has signed in meanwhile, in another tab. */
export const isDifferentUser = (now: SessionState, user: SessionUser): boolean =>
  now.kind === 'signed-in' && now.user.id !== user.id;

/** The page shows what another person may see, so it is loaded anew and nothing of it goes on. */
function startAgain(): Promise<never> {
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
    if (isDifferentUser(state, reply.user)) return startAgain();
    setSession(reply);
    return true;
  }
  if (response.status !== 401 && response.status !== 403)
    throw problemFromResponse(response.status, await readJson(response));
  clearSession();
  return false;
}

let refreshing: Promise<boolean> | undefined;

/** Gets a new access token with the refresh cookie; says whether there is a session. */
export function refreshSession(): Promise<boolean> {
  // A refresh cookie that is used twice ends its session, so calls share one refresh and tabs take turns.
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

/** Sends as the person who is signed in; an access token that has run out is replaced and the request sent again. */
export async function withTokenRefresh<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Problem) || !isExpired(error) || state.kind !== 'signed-in') throw error;
    if (!(await refreshSession())) throw error;
    return send();
  }
}
