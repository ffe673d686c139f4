import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collector = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * Returns the memory that a start has used and that is not needed any more: the heap keeps the size that it had while
 * the program was loaded and compiled, and without requests there is no collection. Takes a fraction of a second, once.
 */
export function releaseStartMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collector;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
