import * as boards from '#domain/policies/boards.ts';
import * as items from '#domain/policies/items.ts';
import { keyOf } from '#domain/policies/rules.ts';
import { nobody } from '#kernel/auth/caller.ts';
import type { Scene } from '../scene.ts';
import { fresh } from '../world.ts';

/** Undoes what another test may have done, past the roles for which there is no way back. */
export async function makeUnmigrated({ world, place }: Scene): Promise<string> {
  await world.look('delete from policy_migration where deployment_id = $1', [place.id]);
  return place.id;
}

/** A new board of a deployment that is not migrated. */
export async function makeBoard(scene: Scene): Promise<boards.Board> {
  const { world, place } = scene;
  await makeUnmigrated(scene);
  const wish = { deployment: place.id, product: 'sast', name: fresh('Board ') } as const;
  const board = await world.in(place, (tx) => boards.insert(tx, wish));
  if (!board) throw new Error('The board was not made.');
  return board;
}

/** Puts three rules on a board, signed by the administrator. */
export async function makeRules({ world, place }: Scene, board: string): Promise<void> {
  const steps = ['a.rule', 'b.rule', 'c/rule'].map((path, index) => {
    const step = { kind: 'rule', path, mode: 'monitor', mustExist: false, index } as const;
    return [keyOf(step), step] as const;
  });
  const caller = { ...nobody, kind: 'user', deployment: place.id, email: place.admin.email } as const;
  await world.in(place, (tx) => items.carryOut(tx, caller, board, { steps: new Map(steps) }));
}
