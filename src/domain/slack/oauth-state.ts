import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';
import type { Tx } from '#kernel/db/tx.ts';

const LIFETIME_MS = 15 * 60_000;
const PURPOSE = 'slack installation';

const State = z.object({ deployment: z.string(), account: z.string(), nonce: z.string(), until: z.number() });
export type SlackState = z.output<typeof State>;

/** The state of an installation: it returns with the person who started it, within 15 minutes. */
export const issueSlackState = (
  keys: KeyRing,
  { deployment, account }: { deployment: string; account: string },
  now: Date,
): string => {
  const state: SlackState = { deployment, account, nonce: randomUUID(), until: now.getTime() + LIFETIME_MS };
  return seal(keys.derive('slack-state'), PURPOSE, JSON.stringify(state));
};

/** The state, if it was issued to this person in this deployment and has not expired. */
export function verifySlackState(
  keys: KeyRing,
  text: string,
  { deployment, account, now }: { deployment: string; account: string; now: Date },
): SlackState | undefined {
  const payload = unseal(keys.derive('slack-state'), PURPOSE, text);
  if (!payload) return undefined;
  const state = State.parse(JSON.parse(payload.toString('utf8')));
  const isOwn = state.deployment === deployment && state.account === account;
  return isOwn && state.until >= now.getTime() ? state : undefined;
}

/** Uses a state; false if it was used before. */
export async function useSlackState(tx: Tx, { deployment, nonce, until }: SlackState, now: Date): Promise<boolean> {
  await tx.run`delete from slack_used_state where deployment_id = ${deployment} and expires_at < ${now}`;
  const count = await tx.run`
    insert into slack_used_state (deployment_id, nonce, expires_at)
    values (${deployment}, ${nonce}, ${new Date(until)}) on conflict do nothing`;
  return count === 1;
}
