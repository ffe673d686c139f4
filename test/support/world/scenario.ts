import type { TestDeployment, TestUser, World } from './world.ts';

/** Where objects are created, and who besides the administrator can see them. */
export interface Scenario {
  world: World;
  place: TestDeployment;
  viewers?: readonly TestUser[];
}
