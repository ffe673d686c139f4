import { rooms } from '#app';
import { version } from '#kernel/config/version.ts';
import { documentText } from '#kernel/http/openapi/document-text.ts';
import { openapiOf } from '#kernel/http/openapi/openapi.ts';
import { shapes } from '../../shapes.ts';

/** Prints the OpenAPI document and nothing else. */
export async function printOpenapi(): Promise<void> {
  // A reader such as `head` may close the pipe early.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  process.stdout.write(documentText(openapiOf({ rooms, shapes, version })));
}
