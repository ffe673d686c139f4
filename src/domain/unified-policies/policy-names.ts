import { z } from 'zod';
import type { AutomationAction, AutomationConditionType, AutomationFilters } from '#domain/automations/shape.ts';
import { nameKey } from '#domain/deployments/rules.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** The names of what automations refer to by number, and the numbers of what bundles name. */
export interface PolicyNames {
  /** By the type of condition: the name of a stored value. */
  nameOf: ReadonlyMap<AutomationConditionType, ReadonlyMap<string, string>>;
  /** By the type of condition: the stored value of a name. */
  valueOf: ReadonlyMap<AutomationConditionType, ReadonlyMap<string, string>>;
  webhookNames: ReadonlyMap<string, string>;
  knownWebhooks: ReadonlySet<string>;
}

interface Named {
  filters: AutomationFilters;
  actions: readonly Pick<AutomationAction, 'config'>[];
}

const NameRow = z.object({ value: z.string(), id: z.string(), name: z.string() });
const WebhookRow = z.object({ id: z.string(), name: z.string() });

const PROJECT = 'CONDITION_TYPE_REPOSITORY_ID';
const TAG = 'CONDITION_TYPE_REPOSITORY_TAG_ID';
const BOARD = 'CONDITION_TYPE_POLICY';

const valuesOf = (all: readonly Named[], type: AutomationConditionType): string[] => [
  ...new Set(
    all.flatMap(({ filters }) => filters.conditions.filter((one) => one.type === type).flatMap(({ values }) => values)),
  ),
];

const projectNames = (tx: Tx, deployment: string, { values, visible }: { values: readonly string[]; visible: Sql }) =>
  tx.all(NameRow)`
    select requested.value, project.id, project.name
    from unnest(${values}::text[], ${values.map((value) => (isInt64(value) ? value : null))}::bigint[],
                ${values.map(nameKey)}::text[]) as requested (value, id, name_key)
    join project on project.deployment_id = ${deployment}
      and (project.id = requested.id or project.name_key = requested.name_key)
    where ${visible}`;

const tagNames = (tx: Tx, deployment: string, values: readonly string[]) =>
  tx.all(NameRow)`
    select requested.value, tag.id, tag.tag as name from unnest(${values}::text[]) as requested (value)
    join deployment_tag as tag on tag.deployment_id = ${deployment}
      and requested.value in (tag.id::text, tag.tag)`;

const boardNames = (tx: Tx, deployment: string, values: readonly string[]) =>
  tx.all(NameRow)`
    select requested.value, board.slug as id, board.slug as name from unnest(${values}::text[]) as requested (value)
    join ruleboard as board on board.deployment_id = ${deployment}
      and requested.value in (board.id::text, board.slug, board.name)
    order by board.id`;

type NameRows = readonly z.output<typeof NameRow>[];

/** A stored number is an id rather than a name; a name in a bundle is a name rather than an id. */
const namesIn = (rows: NameRows): Map<string, string> =>
  new Map(
    [...rows.filter(({ value, id }) => value !== id), ...rows.filter(({ value, id }) => value === id)].map(
      ({ value, name }) => [value, name],
    ),
  );
const valuesIn = (rows: NameRows, isName: (row: NameRows[number]) => boolean): Map<string, string> =>
  new Map(rows.filter(isName).map(({ value, id }) => [value, id]));

/** Loads the names of all references with one statement per kind. A caller sees only the names of visible projects. */
export async function loadPolicyNames(
  tx: Tx,
  { deployment, caller }: { deployment: string; caller?: Caller },
  all: readonly Named[],
): Promise<PolicyNames> {
  const [projectValues, tagValues, boardValues] = [valuesOf(all, PROJECT), valuesOf(all, TAG), valuesOf(all, BOARD)];
  const visible = caller ? projectVisibilitySql(caller) : sql`true`;
  const projects =
    projectValues.length === 0 ? [] : await projectNames(tx, deployment, { values: projectValues, visible });
  const tags = tagValues.length === 0 ? [] : await tagNames(tx, deployment, tagValues);
  const boards = boardValues.length === 0 ? [] : await boardNames(tx, deployment, boardValues);
  const webhooks = await tx.all(WebhookRow)`
    select id, name from destination where deployment_id = ${deployment} and kind = 'webhook' order by id limit 10000`;
  return {
    nameOf: new Map([
      [PROJECT, namesIn(projects)],
      [TAG, namesIn(tags)],
      [BOARD, namesIn(boards)],
    ]),
    valueOf: new Map([
      [PROJECT, valuesIn(projects, ({ value, name }) => nameKey(value) === nameKey(name))],
      [TAG, valuesIn(tags, ({ value, name }) => value === name)],
      [BOARD, valuesIn(boards, () => true)],
    ]),
    webhookNames: new Map(webhooks.map(({ id, name }) => [id, name])),
    knownWebhooks: new Set(webhooks.map(({ name }) => name)),
  };
}
