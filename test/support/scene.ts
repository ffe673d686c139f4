import type { Person, Place, World } from './world.ts';

/** Where things are made, and for whom they shall be visible beside the administrator. */
export interface Scene {
  world: World;
  place: Place;
  viewers?: readonly Person[];
}
