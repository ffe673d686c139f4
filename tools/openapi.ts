import { rooms } from '#app';
import { version } from '#kernel/config/version.ts';
import { openapiOf } from '#kernel/http/openapi/openapi.ts';

process.stdout.write(`${JSON.stringify(openapiOf(rooms, version), null, 1)}\n`);
