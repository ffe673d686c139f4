import type { MovedProject, MoveSource } from './move-source.ts';
import type { MoveTally } from './move-tally.ts';
import type { MoveTarget } from './move-target.ts';

/** A project on its way from one system to this one. */
export interface ProjectMove {
  source: MoveSource;
  target: MoveTarget;
  project: MovedProject;
  tally: MoveTally;
  isDryRun: boolean;
}
