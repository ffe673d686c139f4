import type { ExampleIdOf } from '#kernel/contract/example.ts';
import type { BoundOperation, ServiceGroup } from '../pipeline/group.ts';

/** One group of operations with what describes it. */
export interface Room {
  group: ServiceGroup;
  purpose: string;
  examples: object;
}

export interface ExampleCall {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  upload?: string;
}

export function exampleOf(room: Room, bound: BoundOperation, of: ExampleIdOf): ExampleCall {
  const make = (room.examples as Record<string, ((of: ExampleIdOf) => ExampleCall) | undefined>)[bound.name];
  if (!make) throw new Error(`${bound.group} has no example for ${bound.name}.`);
  return make(of);
}

/** A module may declare, by noun, the ids of its things that the examples of the API description show. */
interface Declaring {
  exampleIds?: Readonly<Record<string, string>>;
}

/** Stands for a word that is in no other request, such as the name of a thing to create. */
const FRESH = { Fresh: 'Alpha' };

/** The ids that the API description shows, as the modules declare them. */
export function exampleIdsOf(modules: readonly Declaring[]): ExampleIdOf {
  const ids = new Map<string, string>();
  for (const declared of new Set([FRESH, ...modules.map(({ exampleIds = {} }) => exampleIds)]))
    for (const [noun, id] of Object.entries(declared)) {
      if (ids.has(noun)) throw new Error(`The example id of ${noun} is declared twice.`);
      ids.set(noun, id);
    }
  return (noun) => {
    const id = ids.get(noun);
    if (id === undefined) throw new Error(`No module declares an example id of ${noun}.`);
    return id;
  };
}
