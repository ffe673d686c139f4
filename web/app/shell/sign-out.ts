import { asProblem } from '#web/api/problem.ts';
import { queryClient } from '#web/api/queries.ts';
import { sessions } from '#web/api/services.ts';
import { forgetSession } from '#web/api/session.ts';
import { tellSignedOut } from '#web/api/share-session.ts';
import { sayProblem } from './say.ts';

/** Ends the session on the server first; what the page remembered goes with it. */
export async function signOut(): Promise<void> {
  try {
    await sessions.deleteSession({});
  } catch (error) {
    // Nobody shall believe to be signed out while the session lives on; a 401 says that it does not.
    if (asProblem(error).body.status !== 401) return sayProblem(error);
  }
  forgetSession();
  tellSignedOut();
  queryClient.clear();
  location.assign('/sign-in');
}
