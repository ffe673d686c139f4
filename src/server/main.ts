import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// V8 would learn at a busy start that rows of answers live long, and then make them where they are seldom collected:
// each would keep its text with it, and collecting that costs more than all of the learning saves.
setFlagsFromString('--no-allocation-site-pretenuring');

// Nothing else is imported here, so that all of the program comes from the cache: it halves the time to start.
// Where the folder cannot be written, Node goes on without.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/parapet', import.meta.url)));
await import('./command.ts');
