import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// Under load V8 learns that the rows of responses live long, and allocates them in the old generation. They would keep
// their text alive until a full collection, which costs more than pretenuring saves.
setFlagsFromString('--no-allocation-site-pretenuring');

// Nothing else is imported here, so that the whole program is loaded from the cache, which halves the start time.
// Without a writable folder Node continues without a cache.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/parapet', import.meta.url)));
await import('./command.ts');
