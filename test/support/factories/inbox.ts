import type { TestDeployment, World } from '../world/world.ts';

interface InboxScenario {
  world: World;
  place: TestDeployment;
}

/** Requests an exception for a finding as a developer, and returns its id. */
export async function requestException({ world, place }: InboxScenario, finding: string): Promise<string> {
  const [made] = await world.queryAsOwner<{ id: string }>(
    `insert into exception_request (deployment_id, finding_id, state, source, requester, requester_name, reason, note,
       created_at)
     values ($1, $2, 'requested', 'api', 'dev@example.com', 'Dev', 'no_time', 'Later.', now()) returning id`,
    [place.id, finding],
  );
  return made?.id ?? '';
}

export async function assignToAdmin({ world, place }: InboxScenario, finding: string): Promise<void> {
  await world.queryAsOwner('update finding set assignee_id = $2 where id = $1', [finding, place.admin.id]);
}

/** Makes a finding recent: the scans of the factories have a fixed time. */
export async function makeFindingNew({ world }: InboxScenario, finding: string): Promise<void> {
  await world.queryAsOwner('update finding set relevant_since = now() where id = $1', [finding]);
}

/** A comment of the administrator. */
export async function makeComment({ world, place }: InboxScenario, finding: string): Promise<string> {
  const [made] = await world.queryAsOwner<{ id: string }>(
    `insert into finding_comment (deployment_id, finding_id, author, author_name, text, created_at)
     values ($1, $2, $3, 'Ada', 'Is this still used?', now()) returning id`,
    [place.id, finding, `account:${place.admin.id}`],
  );
  return made?.id ?? '';
}

/** A saved view of the administrator. */
export async function makeSavedView({ world, place }: InboxScenario): Promise<string> {
  const [made] = await world.queryAsOwner<{ id: string }>(
    `insert into saved_view (deployment_id, account_id, name, search, created_at)
     values ($1, $2, 'Mine', 'q=assignee:me', now()) returning id`,
    [place.id, place.admin.id],
  );
  return made?.id ?? '';
}
