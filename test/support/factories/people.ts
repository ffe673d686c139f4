import { randomBytes, randomUUID } from 'node:crypto';
import * as cliLogin from '#domain/accounts/cli-logins.ts';
import { resetLinkOf, resetToken } from '#domain/accounts/reset-link.ts';
import * as people from '#domain/accounts/store.ts';
import * as invitations from '#domain/invitations/store.ts';
import { notify } from '#domain/notifications/store.ts';
import { issueSetupToken } from '#domain/provisioning/initial-setup.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName, type World } from '../world/world.ts';

/** Opens the setup, which works only while the world has no accounts. */
export async function makeSetupToken({ world }: Scenario): Promise<string> {
  const text = randomBytes(24).toString('base64url');
  await world.assembly.db.transaction({ role: 'auth', isRead: false }, (tx) =>
    issueSetupToken(tx, world.keys, { token: new Secret(text), now: new Date() }),
  );
  return text;
}

/** The deployment itself: the administrator and the viewers belong to it, and another administrator remains in it. */
export async function makeLeavableDeployment({ world, place, viewers = [] }: Scenario): Promise<string> {
  await world.member(place, 'ORG_ROLE_ADMIN');
  for (const { id: account } of [place.admin, ...viewers])
    await world.inDeployment(place, async (tx) => {
      const member = { deployment: place.id, account };
      if (!(await people.isMember(tx, member))) await people.addMembership(tx, { ...member, role: 'ORG_ROLE_ADMIN' });
    });
  return place.id;
}

const invite = ({ world, place }: Scenario): Promise<invitations.CreatedInvitation[]> =>
  world.inDeployment(place, (tx) =>
    invitations.insertAll(tx, world.keys, {
      deployment: place.id,
      invitedBy: place.admin.id,
      emails: [`${uniqueName('guest')}@example.com`],
      expiresAt: new Date(Date.now() + 3_600_000),
    }),
  );

export const makeInvitation = async (scene: Scenario): Promise<string> => (await invite(scene))[0]?.id ?? '';

export async function makeInvitationToken(scene: Scenario): Promise<string> {
  return (await invite(scene)).map(({ token }) => reveal(token)).join();
}

/** The token of a link with which a new person can set a password. */
export const makeResetToken = async ({ world }: Scenario): Promise<string> =>
  resetTokenOf(world, (await world.account()).id);

export async function resetTokenOf(world: World, id: string): Promise<string> {
  const account = await world.assembly.db.transaction({ role: 'auth', isRead: true }, (tx) => people.find(tx, id));
  if (!account) throw new Error('There is no such account.');
  return reveal(resetToken(world.keys, resetLinkOf(account, { now: new Date(), lifetimeMs: 60_000 })));
}

/** The key of a command line whose login the administrator has confirmed. */
export async function makeLoginKey({ world, place }: Scenario): Promise<string> {
  const key = randomUUID();
  const hash = cliLogin.hashLoginKey(world.keys.derive('cli-login'), key);
  const [now, expiresAt] = [new Date(), new Date(Date.now() + 60_000)];
  await world.inDeployment(place, (tx) =>
    cliLogin.saveApproval(tx, { deployment: place.id, hash, account: place.admin.id, now, expiresAt }),
  );
  return key;
}

export function makeNotification({ world, place }: Scenario): Promise<string> {
  return world.inDeployment(place, (tx) =>
    notify(tx, { deployment: place.id, severity: 'SEVERITY_INFO', title: uniqueName('News '), description: 'Look.' }),
  );
}

/** An unused name for a deployment. Deployments created before no longer count for the quota. */
export async function makeDeploymentName({ world }: Scenario): Promise<string> {
  await world.queryAsOwner('update deployment set created_by = null');
  return uniqueName('Acme ');
}
