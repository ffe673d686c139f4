import { asProblem } from '#web/foundation/api/problem.ts';
import { queryClient } from '#web/foundation/api/query-client.ts';
import { sessions } from '#web/foundation/api/services.ts';
import { clearSession } from '#web/foundation/api/session.ts';
import { broadcastSignOut } from '#web/foundation/api/sync-session.ts';
import { notifyProblem } from '../notify/notify.ts';

/** Ends the session on the server, then clears everything that the page has cached. */
export async function signOut(): Promise<void> {
  let next = '/sign-in';
  try {
    // An identity provider that opened the session ends its own, and then returns to the sign-in page.
    next = (await sessions.deleteSession({})).signOutUrl ?? next;
  } catch (error) {
    // The session is still active if this failed, so the user stays signed in; 401 means it is already over.
    if (asProblem(error).body.status !== 401) return notifyProblem(error);
  }
  clearSession();
  broadcastSignOut();
  queryClient.clear();
  location.assign(next);
}
