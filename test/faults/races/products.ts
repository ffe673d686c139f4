import { DEFAULT_PRODUCT_SETTINGS } from '#domain/products/rules.ts';
import type { World } from '#test/support/world/world.ts';
import type { Race } from '../race.ts';
import { makeRaceDeployment, oneOf } from './race-deployment.ts';

type Tree = Record<string, unknown>;

/** Settings in every branch and at every depth. */
const SWITCHES = [
  ['ai', 'enabled'],
  ['ai', 'send_patch_emails'],
  ['sast', 'enabled'],
  ['sast', 'ai_autotriage', 'send_to_slack'],
  ['sast', 'ai_autotriage', 'send_to_scm_comments'],
  ['sast', 'ai_detection', 'enabled'],
  ['sca', 'blockPrEnabled'],
  ['sca', 'malwareFirewallEnabled'],
  ['secrets', 'historical_scan', 'enabled'],
  ['secrets', 'generic_secrets', 'enabled'],
];

const valueAt = (tree: unknown, path: readonly string[]) =>
  path.reduce<unknown>((branch, name) => (branch as Tree | undefined)?.[name], tree);
const treeOf = (path: readonly string[], value: unknown) =>
  path.reduceRight<unknown>((branch, name) => ({ [name]: branch }), value) as Tree;
const text = (tree: unknown) => SWITCHES.map((path) => `${path.join('.')}:${valueAt(tree, path)}`).join(' ');

/** Seed 4.9: each client sets one of many settings, which must not change the others. */
export async function products(world: World): Promise<Race> {
  const { place, baseUrl, token } = await makeRaceDeployment(world);
  const path = `/api/agent/deployments/${place.id}/products`;
  const settings = new Map(SWITCHES.map((at) => [at, valueAt(DEFAULT_PRODUCT_SETTINGS, at)]));
  const whole = () => [...settings].map(([at, value]) => `${at.join('.')}:${value}`).join(' ');
  return {
    name: '4.9 product config',
    baseUrl,
    token,
    readPath: path,
    write: { method: 'PUT', path },
    draw: (random) => treeOf(oneOf(SWITCHES, random), random() < 0.5),
    decisive: () => ({ ai: { enabled: true } }),
    told: (body) => text(body['products']),
    model: {
      apply: (body) => {
        for (const at of SWITCHES) settings.set(at, valueAt(body, at) ?? settings.get(at));
        return whole();
      },
      whole,
    },
    stored: async () => {
      const [row] = await world.queryAsOwner<{ settings: Tree }>(
        'select settings from product_config where deployment_id = $1',
        [place.id],
      );
      return SWITCHES.map(
        (at) => `${at.join('.')}:${valueAt(row?.settings, at) ?? valueAt(DEFAULT_PRODUCT_SETTINGS, at)}`,
      ).join(' ');
    },
  };
}
