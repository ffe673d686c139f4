import { insertCredential } from '#domain/storage/storage-credentials.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName } from '../world/world.ts';

/** A credential for buckets, by its id. */
export async function makeStorageCredential(
  { world, place }: Scenario,
  more: { name?: string; endpoint?: string; secret?: string } = {},
): Promise<string> {
  const made = await world.inDeployment(place, (tx) =>
    insertCredential(tx, world.keys, place.id, {
      ...{ name: more.name ?? uniqueName('Archive '), region: 'eu-central-1', accessKeyId: 'AKIATEST' },
      endpoint: more.endpoint ?? 'https://s3.eu-central-1.amazonaws.com',
      secret: new Secret(more.secret ?? 'a-secret-access-key'),
    }),
  );
  return made.id;
}
