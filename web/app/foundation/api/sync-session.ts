import { currentSession, subscribeToSession } from './session.ts';

const SIGNED_OUT = '';
const CHANNEL = 'parapet-session';

/** Lets the other tabs know that nobody is signed in any more. */
export function broadcastSignOut(): void {
  const tabs = new BroadcastChannel(CHANNEL);
  tabs.postMessage(SIGNED_OUT);
  tabs.close();
}

/** Tabs share the cookie of the session: what one person saw goes from all when it ends or becomes another's. */
export function syncSessionAcrossTabs(): void {
  const tabs = new BroadcastChannel(CHANNEL);
  let told = SIGNED_OUT;
  subscribeToSession(() => {
    const now = currentSession();
    if (now.kind !== 'signed-in' || now.user.id === told) return;
    told = now.user.id;
    tabs.postMessage(told);
  });
  tabs.onmessage = ({ data: userId }) => {
    const now = currentSession();
    if (now.kind === 'signed-in' && now.user.id !== userId) location.reload();
  };
}
