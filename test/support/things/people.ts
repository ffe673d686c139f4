import { randomBytes, randomUUID } from 'node:crypto';
import { openSetUp } from '#domain/founding/setup.ts';
import * as invitations from '#domain/invitations/store.ts';
import { notify } from '#domain/notifications/store.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import * as cliLogin from '#services/cli-login/store.ts';
import type { Scene } from '../scene.ts';
import { fresh } from '../world.ts';

/** Opens the set-up, which works only while the world has no people. */
export async function makeSetupToken({ world }: Scene): Promise<string> {
  const text = randomBytes(24).toString('base64url');
  await world.assembly.db.transaction({ role: 'door', isRead: false }, (tx) =>
    openSetUp(tx, world.keys, { token: new Secret(text), now: new Date() }),
  );
  return text;
}

export async function makeInvitationToken({ world, place }: Scene): Promise<string> {
  const made = await world.in(place, (tx) =>
    invitations.insertAll(tx, world.keys, {
      deployment: place.id,
      invitedBy: place.admin.id,
      emails: [`${fresh('guest')}@example.com`],
      expiresAt: new Date(Date.now() + 3_600_000),
    }),
  );
  return made.map(({ token }) => reveal(token)).join();
}

/** The key of a command line whose login the administrator has agreed to. */
export async function makeLoginKey({ world, place }: Scene): Promise<string> {
  const key = randomUUID();
  const hash = cliLogin.hashOf(world.keys.derive('cli-login'), key);
  const [now, expiresAt] = [new Date(), new Date(Date.now() + 60_000)];
  await world.in(place, (tx) =>
    cliLogin.agree(tx, { deployment: place.id, hash, account: place.admin.id, now, expiresAt }),
  );
  return key;
}

export function makeNotification({ world, place }: Scene): Promise<string> {
  return world.in(place, (tx) =>
    notify(tx, { deployment: place.id, severity: 'SEVERITY_INFO', title: fresh('News '), description: 'Look.' }),
  );
}

/** The name of a deployment that nobody has founded yet; what was founded before no longer counts for the quota. */
export async function makeRoomForDeployment({ world }: Scene): Promise<string> {
  await world.look('update deployment set created_by = null');
  return fresh('Acme ');
}
