import { issueUnsubscribeToken } from '#domain/mailing/unsubscribe-token.ts';
import type { Scenario } from '../world/scenario.ts';

/** The token of a link that ends the digests of a member. */
export async function makeUnsubscribeToken({ world, place }: Scenario): Promise<string> {
  const { id: account } = await world.member(place);
  return issueUnsubscribeToken(world.keys, { deployment: place.id, account }, 'digest');
}
