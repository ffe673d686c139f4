import * as store from '#services/keyless-ci/store.ts';
import { signingKey, signJobToken } from '../world/ci-issuer.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName } from '../world/world.ts';

const ISSUER = 'https://token.actions.githubusercontent.com';

/** A trust in GitHub Actions for the repositories of one owner. */
export const makeCiTrust = ({ world, place }: Scenario, more: Partial<store.TrustDraft> = {}): Promise<string> =>
  world.inDeployment(place, (tx) =>
    store.insert(tx, place.id, {
      name: uniqueName('Trust '),
      provider: 'GITHUB_ACTIONS',
      issuer: ISSUER,
      audience: 'https://parapet.example.com',
      algorithm: 'RS256',
      conditions: [{ claim: 'repository', values: ['acme/*'] }],
      project: '{repository}',
      lifetimeSeconds: 900,
      enabled: true,
      ...more,
    }),
  );

/** The token of a job that a trust of the deployment accepts; the server knows the keys of its issuer. */
export async function makeCiJobToken(scene: Scenario): Promise<string> {
  await makeCiTrust(scene);
  const key = signingKey();
  scene.world.assembly.services.issuerKeys = { find: async () => key.jwk };
  const claims = { iss: ISSUER, aud: 'https://parapet.example.com', sub: 'repo:acme/web', repository: 'acme/web' };
  return signJobToken({ ...key }, claims);
}
