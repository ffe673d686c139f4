import type { z } from 'zod';
import { type FieldKind, fieldKinds } from '#kernel/contract/field-kinds.ts';
import { DEFAULT_LIMIT } from '#kernel/contract/proto-fields.ts';
import { Page } from '#kernel/db/query/page.ts';
import type { AuthorizedRequest, Transactions } from './authorized-request.ts';

type PagingKind = 'limit' | 'cursor' | 'page' | 'page_size';

const PAGING_KINDS: readonly FieldKind['kind'][] = ['limit', 'cursor', 'page', 'page_size'];

function kindOf(schema: z.core.$ZodType): FieldKind['kind'] | undefined {
  const own = fieldKinds.get(schema)?.kind;
  const { innerType } = schema._zod.def as { innerType?: z.core.$ZodType };
  return own ?? (innerType && kindOf(innerType));
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

const cache = new WeakMap<Shape, ReadonlyMap<PagingKind, string>>();

/** The members of a request that select the page, found by their kind and not by their name. */
export function pagingFieldsOf(shape: Shape): ReadonlyMap<PagingKind, string> {
  let fields = cache.get(shape);
  if (!fields) {
    fields = readFields(shape);
    cache.set(shape, fields);
  }
  return fields;
}

function readFields(shape: Shape): ReadonlyMap<PagingKind, string> {
  const fields = new Map<PagingKind, string>();
  for (const [name, schema] of Object.entries(shape)) {
    const kind = kindOf(schema);
    if (kind && PAGING_KINDS.includes(kind)) fields.set(kind as PagingKind, name);
  }
  return fields;
}

/** The page that a request selects; its cursor is bound to the operation, the deployment and all other members. */
export function openPage(
  { services, clock }: Transactions,
  { bound, caller, path, query, body }: AuthorizedRequest,
): Page {
  const values = new Map<PagingKind, unknown>();
  const filter: unknown[] = [path];
  for (const [schema, parsed] of [
    [bound.operation.query, query],
    [bound.operation.body, body],
  ] as const) {
    const fields = pagingFieldsOf(schema.shape);
    for (const [kind, name] of fields) values.set(kind, parsed.value[name]);
    const paging = new Set(fields.values());
    filter.push(
      Object.entries(parsed.wire)
        .filter(([name]) => !paging.has(name))
        .sort(([left], [right]) => (left < right ? -1 : 1)),
    );
  }
  return new Page({
    scope: { operation: `${bound.group}.${bound.name}`, deployment: caller.deployment, filter },
    key: services.keys.derive('cursor'),
    cursor: String(values.get('cursor') ?? ''),
    limit: Number(values.get('limit') ?? values.get('page_size') ?? DEFAULT_LIMIT),
    offset: Number(values.get('page') ?? 0),
    now: clock().getTime(),
  });
}
