import { rooms } from '#app';
import { version } from '#kernel/config/version.ts';
import { documentText } from '#kernel/http/openapi/document-text.ts';
import { openapiOf } from '#kernel/http/openapi/openapi.ts';
import { shapes } from '../src/shapes.ts';

process.stdout.write(documentText(openapiOf({ rooms, shapes, version })));
