import type { TestDeployment, World } from '../world/world.ts';

interface Spot {
  world: World;
  place: TestDeployment;
}

/** A developer's wish that this finding be ignored, and its id. */
export async function requestException({ world, place }: Spot, finding: string): Promise<string> {
  const [made] = await world.queryAsOwner<{ id: string }>(
    `insert into exception_request (deployment_id, finding_id, state, source, requester, requester_name, reason, note,
       created_at)
     values ($1, $2, 'requested', 'api', 'dev@example.com', 'Dev', 'no_time', 'Later.', now()) returning id`,
    [place.id, finding],
  );
  return made?.id ?? '';
}

/** Lets a finding be news: the clock of made-up scans stands still. */
export async function makeFindingNew({ world }: Spot, finding: string): Promise<void> {
  await world.queryAsOwner('update finding set relevant_since = now() where id = $1', [finding]);
}
