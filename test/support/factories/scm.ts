import { generateKeyPairSync } from 'node:crypto';
import { saveRepositories } from '#domain/scm/save-repositories.ts';
import * as apps from '#domain/scm/scm-apps.ts';
import * as configs from '#domain/scm/scm-configs.ts';
import { activateHook, findHook, insertHook, makeHookKey, makeHookSecret } from '#domain/scm/scm-hooks.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName } from '../world/world.ts';

/** A connection to a host that nobody can reach. */
export async function makeScmConfig({ world, place }: Scenario): Promise<string> {
  const baseUrl = `https://${uniqueName('git')}.example.com`;
  return world.inDeployment(place, async (tx) => {
    const ref = await configs.insertConfig(tx, place.id, {
      ...{ provider: 'gitea', baseUrl, namespace: uniqueName('acme'), kind: 'org' },
      ...{ sourceId: '', isAutoScan: false, isDiffScan: false },
    });
    await configs.setConfigToken(tx, world.keys, ref, new Secret('a-token-of-the-test'));
    const owner = { deployment: place.id, config: ref.id };
    await insertHook(tx, world.keys, owner, { key: makeHookKey(), secret: makeHookSecret() });
    const repository = {
      ...{ id: ref.id, name: uniqueName('acme/repository'), url: `${baseUrl}/acme/repository` },
      ...{ defaultBranch: 'main', visibility: 'private' as const, isArchived: false, topics: [] },
    };
    const config = { base_url: baseUrl, is_auto_scan: false, is_diff_scan: false };
    await saveRepositories(tx, ref, { ...config, provider: 'gitea' }, [repository]);
    return ref.id;
  });
}

/** A connection whose host sends webhooks. */
export async function makeScmSubscription(scene: Scenario): Promise<string> {
  const config = await makeScmConfig(scene);
  await scene.world.inDeployment(scene.place, async (tx) => {
    const hook = await findHook(tx, { deployment: scene.place.id, config });
    if (!hook) throw new Error('The connection has no hook.');
    const ref = { deployment: scene.place.id, id: hook.id };
    await activateHook(tx, ref, { hostHookId: '1', isPerRepository: false });
  });
  return config;
}

/** The address of a webhook. */
export async function makeScmHook(scene: Scenario): Promise<string> {
  const config = await makeScmSubscription(scene);
  const hook = await scene.world.inDeployment(scene.place, (tx) =>
    findHook(tx, { deployment: scene.place.id, config }),
  );
  return hook?.key ?? '';
}

/** An app at a host that nobody can reach. */
async function makeApp({ world, place }: Scenario, isReady: boolean): Promise<{ id: string; requestId: string }> {
  const requestId = `${place.id}.${makeHookKey()}`;
  return world.inDeployment(place, async (tx) => {
    const ref = await apps.insertAppRequest(tx, place.id, {
      ...{ provider: 'github', baseUrl: 'https://github.example.com', namespace: uniqueName('acme'), entity: 'org' },
      ...{ requestId, by: 'nobody', at: new Date() },
    });
    const owner = { deployment: place.id, app: ref.id };
    await insertHook(tx, world.keys, owner, { key: makeHookKey(), secret: makeHookSecret() });
    if (isReady) {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const pem = new Secret(String(privateKey.export({ type: 'pkcs1', format: 'pem' })));
      await apps.setAppKey(tx, world.keys, ref, { privateKey: pem });
      await apps.markAppReady(tx, ref, { appId: '4711', slug: 'parapet', name: 'Parapet', clientId: 'Iv1.a' });
    }
    return { id: ref.id, requestId };
  });
}

export const makeScmApp = async (scene: Scenario): Promise<string> => (await makeApp(scene, true)).id;
export const makeScmAppRequest = async (scene: Scenario): Promise<string> => (await makeApp(scene, false)).requestId;
