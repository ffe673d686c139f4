import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Nothing else is imported here, so that all of the program comes from the cache: it halves the time to start.
// Where the folder cannot be written, Node goes on without.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/parapet', import.meta.url)));
await import('./command.ts');
