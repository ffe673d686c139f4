import { saveRepositories } from '#domain/scm/save-repositories.ts';
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
