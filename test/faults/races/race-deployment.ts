import type { World } from '#test/support/world/world.ts';

export type Random = () => number;

export function oneOf<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There are no items to choose from.');
  return item;
}

export const listed = (items: Iterable<string>): string => [...items].sort().join(' ');

/** A deployment for one contest, with a credential that may change everything in it. */
export async function makeRaceDeployment(world: World) {
  const place = await world.deployment();
  return { place, baseUrl: world.baseUrl, token: (await world.token(place)).text };
}
