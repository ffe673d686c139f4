import type { z } from 'zod';
import type { Json } from './filter.ts';
import { applyPatch, type PatchableAttributes, PatchError, type PatchOperation } from './patch.ts';
import { SCIM_REFUSED } from './scim-shape.ts';

/** A whole new resource, or the operations of a PATCH. */
export type ResourceChange<Input> = (() => Input) | readonly PatchOperation[];

interface ChangeContext<Schema extends z.ZodType> {
  before: Json;
  attributes: PatchableAttributes;
  schema: Schema;
}

/** The resource that a change makes, checked like a new one. */
export function inputAfter<Schema extends z.ZodType>(
  change: ResourceChange<z.output<Schema>>,
  { before, attributes, schema }: ChangeContext<Schema>,
): z.output<Schema> {
  if (typeof change === 'function') return change();
  const refuse = (scimType: string, reason: string) => SCIM_REFUSED({ reason }, { members: { scimType } });
  try {
    const parsed = schema.safeParse(applyPatch(before, change, attributes));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw refuse('invalidValue', `${issue?.path.join('.')}: ${issue?.message}`);
  } catch (error) {
    if (error instanceof PatchError) throw refuse(error.scimType, error.message);
    throw error;
  }
}
