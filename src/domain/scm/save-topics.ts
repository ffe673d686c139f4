import { z } from 'zod';
import { MAX_TAGS_PER_PROJECT } from '#domain/projects/rules.ts';
import type { Tx } from '#kernel/db/tx.ts';

const MAX_TAG_LENGTH = 64;

export interface SavedTopics {
  topics: readonly string[];
  /** The topics that became tags of the project through us. */
  tagged: readonly string[];
}

export interface TopicsChange {
  id: string;
  before: SavedTopics;
  topics: readonly string[];
}

/** The topics of a repository that can be tags, sorted. */
export const usableTopics = (topics: readonly string[]): string[] =>
  [...new Set(topics.map((topic) => topic.trim()))]
    .filter((topic) => topic !== '' && [...topic].length <= MAX_TAG_LENGTH)
    .sort();

const Tagged = z.object({ external_id: z.string(), tag: z.string() });

const pairsOf = (changes: readonly TopicsChange[], tagsOf: (change: TopicsChange) => readonly string[]) =>
  changes.flatMap((change) => tagsOf(change).map((tag) => ({ id: change.id, tag })));

/**
 * Turns new topics into tags, and takes away the tags of topics that are gone. Tags that people gave stay, and those
 * that they took away do not come back.
 */
export async function saveTopics(
  tx: Tx,
  { deployment, host }: { deployment: string; host: string },
  given: readonly TopicsChange[],
): Promise<void> {
  const usable = given.map((change) => ({ ...change, topics: usableTopics(change.topics) }));
  const changes = usable.filter(({ topics, before }) => topics.join('\n') !== before.topics.join('\n'));
  if (changes.length === 0) return;
  const removed = pairsOf(changes, ({ topics, before }) => before.tagged.filter((tag) => !topics.includes(tag)));
  await tx.run`
    delete from project_tag
    using unnest(${removed.map(({ id }) => id)}::text[], ${removed.map(({ tag }) => tag)}::text[])
        as removed (external_id, tag)
      join scm_repository as repository on repository.deployment_id = ${deployment} and repository.host = ${host}
        and repository.external_id = removed.external_id
    where project_tag.deployment_id = ${deployment} and project_tag.project_id = repository.project_id
      and project_tag.tag = removed.tag`;
  const added = pairsOf(changes, ({ topics, before }) => topics.filter((topic) => !before.topics.includes(topic)));
  await tx.run`
    insert into deployment_tag (deployment_id, tag)
    select distinct ${deployment}::bigint, tag from unnest(${added.map(({ tag }) => tag)}::text[]) as tag order by tag
    on conflict do nothing`;
  const tagged = await tx.all(Tagged)`
    with wanted as (
      select repository.external_id, repository.project_id, added.tag, row_number() over (
        partition by repository.project_id order by added.tag)
        + (select count(*) from project_tag where project_tag.deployment_id = ${deployment}
             and project_tag.project_id = repository.project_id) as place
      from unnest(${added.map(({ id }) => id)}::text[], ${added.map(({ tag }) => tag)}::text[])
          as added (external_id, tag)
        join scm_repository as repository on repository.deployment_id = ${deployment} and repository.host = ${host}
          and repository.external_id = added.external_id
      where repository.project_id is not null
        and not exists (select from project_tag where project_tag.deployment_id = ${deployment}
          and project_tag.project_id = repository.project_id and project_tag.tag = added.tag)
    ),
    made as (
      insert into project_tag (deployment_id, project_id, tag)
      select ${deployment}, project_id, tag from wanted where place <= ${MAX_TAGS_PER_PROJECT}
      on conflict do nothing
      returning project_id, tag
    )
    select wanted.external_id, made.tag from made join wanted using (project_id, tag)`;
  const after = changes.map(({ id, topics, before }) => ({
    id,
    topics,
    tagged: [
      ...before.tagged.filter((tag) => topics.includes(tag)),
      ...tagged.filter((row) => row.external_id === id).map(({ tag }) => tag),
    ],
  }));
  await tx.run`
    update scm_repository set topics = array(select jsonb_array_elements_text(after.topics)),
      tagged = array(select jsonb_array_elements_text(after.tagged))
    from unnest(${after.map(({ id }) => id)}::text[], ${after.map(({ topics }) => JSON.stringify(topics))}::jsonb[],
      ${after.map((one) => JSON.stringify(one.tagged))}::jsonb[]) as after (external_id, topics, tagged)
    where scm_repository.deployment_id = ${deployment} and scm_repository.host = ${host}
      and scm_repository.external_id = after.external_id`;
}
