import { asProblem } from '#web/foundation/api/problem.ts';
import { queryClient } from '#web/foundation/api/query-client.ts';
import { sessions } from '#web/foundation/api/services.ts';
import { clearSession } from '#web/foundation/api/session.ts';
import { broadcastSignOut } from '#web/foundation/api/sync-session.ts';
import { notifyProblem } from '../notify/notify.ts';

/** Ends the session on the server first; what the page remembered goes with it. */
export async function signOut(): Promise<void> {
  try {
    await sessions.deleteSession({});
  } catch (error) {
    // Nobody shall believe to be signed out while the session lives on; a 401 says that it does not.
    if (asProblem(error).body.status !== 401) return notifyProblem(error);
  }
  clearSession();
  broadcastSignOut();
  queryClient.clear();
  location.assign('/sign-in');
}
