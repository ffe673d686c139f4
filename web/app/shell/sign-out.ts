import { queryClient } from '#web/api/queries.ts';
import { sessions } from '#web/api/services.ts';
import { forgetSession } from '#web/api/session.ts';

/** Ends the session on the server first; what the page remembered goes with it. */
export async function signOut(): Promise<void> {
  try {
    await sessions.deleteSession({});
  } finally {
    forgetSession();
    queryClient.clear();
    location.assign('/sign-in');
  }
}
