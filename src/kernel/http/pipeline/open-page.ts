import type { z } from 'zod';
import { type FieldKind, fieldKinds } from '#kernel/contract/field-kinds.ts';
import { DEFAULT_LIMIT } from '#kernel/contract/proto-fields.ts';
import { Page } from '#kernel/db/query/page.ts';
import type { AuthorizedRequest, Transactions } from './authorized-request.ts';

type PagingWord = 'limit' | 'cursor' | 'page' | 'page_size';

const PAGING: readonly FieldKind['kind'][] = ['limit', 'cursor', 'page', 'page_size'];

function wordOf(schema: z.core.$ZodType): FieldKind['kind'] | undefined {
  const own = fieldKinds.get(schema)?.kind;
  const { innerType } = schema._zod.def as { innerType?: z.core.$ZodType };
  return own ?? (innerType && wordOf(innerType));
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

const known = new WeakMap<Shape, ReadonlyMap<PagingWord, string>>();

/** The members of a request that say which page is wanted, by their word and not by their name. */
export function pagingFieldsOf(shape: Shape): ReadonlyMap<PagingWord, string> {
  let fields = known.get(shape);
  if (!fields) {
    fields = readFields(shape);
    known.set(shape, fields);
  }
  return fields;
}

function readFields(shape: Shape): ReadonlyMap<PagingWord, string> {
  const fields = new Map<PagingWord, string>();
  for (const [name, schema] of Object.entries(shape)) {
    const word = wordOf(schema);
    if (word && PAGING.includes(word)) fields.set(word as PagingWord, name);
  }
  return fields;
}

/** The page that a request asks for; its cursor is bound to the operation, the deployment and all other members. */
export function openPage(
  { services, clock }: Transactions,
  { bound, caller, path, query, body }: AuthorizedRequest,
): Page {
  const wanted = new Map<PagingWord, unknown>();
  const filter: unknown[] = [path];
  for (const [schema, parsed] of [
    [bound.operation.query, query],
    [bound.operation.body, body],
  ] as const) {
    const fields = pagingFieldsOf(schema.shape);
    for (const [word, name] of fields) wanted.set(word, parsed.value[name]);
    const paging = new Set(fields.values());
    filter.push(
      Object.entries(parsed.wire)
        .filter(([name]) => !paging.has(name))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  }
  return new Page({
    scope: { operation: `${bound.group}.${bound.name}`, deployment: caller.deployment, filter },
    key: services.keys.derive('cursor'),
    cursor: String(wanted.get('cursor') ?? ''),
    limit: Number(wanted.get('limit') ?? wanted.get('page_size') ?? DEFAULT_LIMIT),
    offset: Number(wanted.get('page') ?? 0),
    now: clock().getTime(),
  });
}
