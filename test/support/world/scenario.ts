import type { TestDeployment, TestUser, World } from './world.ts';

/** Where things are made, and for whom they shall be visible beside the administrator. */
export interface Scenario {
  world: World;
  place: TestDeployment;
  viewers?: readonly TestUser[];
}
