import { z } from 'zod';
import { id } from '#kernel/contract/proto-fields.ts';

/** A credential for buckets without its secret, which is never shown. */
export const StorageCredential = z.object({
  id: id('StorageCredential'),
  name: z.string(),
  /** Names it in the `credential_slug` of an action. */
  slug: z.string(),
  endpoint: z.string(),
  region: z.string(),
  accessKeyId: z.string(),
});
export type StorageCredential = z.output<typeof StorageCredential>;

/** What the examples of the API description show. */
export const exampleIds = { StorageCredential: '3' };
