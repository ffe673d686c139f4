import type { Place, World } from './world.ts';

interface Spot {
  world: World;
  place: Place;
}

/** A developer's wish that this finding be ignored, and its id. */
export async function askFor({ world, place }: Spot, finding: string): Promise<string> {
  const [made] = await world.look<{ id: string }>(
    `insert into exception_request (deployment_id, finding_id, state, source, requester, requester_name, reason, note,
       created_at)
     values ($1, $2, 'requested', 'api', 'dev@example.com', 'Dev', 'no_time', 'Later.', now()) returning id`,
    [place.id, finding],
  );
  return made?.id ?? '';
}

/** Lets a finding be news: the clock of made-up scans stands still. */
export async function makeNews({ world }: Spot, finding: string): Promise<void> {
  await world.look('update finding set relevant_since = now() where id = $1', [finding]);
}
