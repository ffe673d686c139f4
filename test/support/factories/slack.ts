import * as channels from '#domain/slack/slack-channels.ts';
import * as installations from '#domain/slack/slack-installations.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName } from '../world/world.ts';

/** The client id that the examples of the API name. */
const CLIENT_ID = '1234567890.1234567890';

/** A deployment whose Slack app is installed. */
export async function makeSlackDeployment(
  { world, place }: Scenario,
  token = 'xoxb-a-token-of-the-test',
): Promise<string> {
  await world.inDeployment(place, async (tx) => {
    await lockLimit(tx, { deployment: place.id, limit: 'slack' });
    if (await installations.findInstallation(tx, place.id)) return;
    const app = { clientId: CLIENT_ID, clientSecret: new Secret('a-client-secret') };
    await installations.saveApp(tx, world.keys, place.id, app);
    await installations.saveInstallation(tx, world.keys, place.id, {
      ...{ app_id: 'A0PARAPET', team_id: 'T0ACME', team_name: 'Acme', enterprise_id: '', enterprise_name: '' },
      ...{ url: 'https://acme.slack.com/', scopes: [], token: new Secret(token), by: 'test', at: new Date() },
    });
  });
  return place.id;
}

/** A mapped channel. */
export async function makeSlackChannel(
  scene: Scenario,
  channelId: string = uniqueName('C0TEST'),
  name: string = uniqueName('channel-'),
): Promise<string> {
  const { world, place } = scene;
  await makeSlackDeployment(scene);
  return world.inDeployment(place, (tx) => channels.saveChannel(tx, place.id, { channelId, name }));
}
