import { currentSession, subscribeToSession } from './session.ts';

const SIGNED_OUT = '';
const CHANNEL = 'parapet-session';

/** Tells the other tabs that the user has signed out. */
export function broadcastSignOut(): void {
  const tabs = new BroadcastChannel(CHANNEL);
  tabs.postMessage(SIGNED_OUT);
  tabs.close();
}

/** Reloads the other tabs when the user signs out or another user signs in, because tabs share the session cookie. */
export function syncSessionAcrossTabs(): void {
  const tabs = new BroadcastChannel(CHANNEL);
  let lastUserId = SIGNED_OUT;
  subscribeToSession(() => {
    const now = currentSession();
    if (now.kind !== 'signed-in' || now.user.id === lastUserId) return;
    lastUserId = now.user.id;
    tabs.postMessage(lastUserId);
  });
  tabs.onmessage = ({ data: userId }) => {
    const now = currentSession();
    if (now.kind === 'signed-in' && now.user.id !== userId) location.reload();
  };
}
