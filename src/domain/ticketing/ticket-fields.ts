import type { z } from 'zod';
import { PRODUCTS, SEVERITIES } from '#domain/findings/shape.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import type { FieldMapping, MappedField } from './ticketing-shape.ts';
import type { TrackerField, TrackerFieldKind } from './trackers/tracker.ts';

type Part = keyof FieldMapping;
const PARTS: readonly Part[] = ['all', ...PRODUCTS];

function validateField(
  { value, from }: z.output<typeof MappedField>,
  field: TrackerField | undefined,
): Omit<FieldError, 'pointer'> | undefined {
  if (!field) return { code: 'UNKNOWN_REFERENCE', detail: 'is not a field of new tickets of this type' };
  if (field.kind === 'unsupported') return { code: 'INVALID', detail: `cannot be filled: ${field.name} is no text` };
  if ((value === undefined) === (from === undefined)) return { code: 'REQUIRED', detail: 'needs either value or from' };
  const { options } = field;
  const values = field.kind === 'options' || field.kind === 'names' ? value?.split(',') : value && [value];
  const unknown = options && [...(values ?? [])].find((one) => !options.includes(one.trim()));
  if (unknown !== undefined) return { code: 'UNKNOWN_VALUE', detail: `has no value ${unknown.trim()}` };
  return undefined;
}

/** The errors of a mapping: also required fields that it leaves out, of which the tracker would refuse every ticket. */
export function validateMapping(mapping: FieldMapping, fields: readonly TrackerField[]): FieldError[] {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const errors = PARTS.flatMap((part) =>
    Object.entries(mapping[part] ?? {}).flatMap(([id, mapped]): FieldError[] => {
      const error = validateField(mapped, byId.get(id));
      return error ? [{ pointer: `#/fields/${part}/${id}`, ...error }] : [];
    }),
  );
  const isMapped = (id: string) =>
    mapping.all?.[id] !== undefined || PRODUCTS.every((product) => mapping[product]?.[id] !== undefined);
  const missing = fields.filter(({ id, isRequired }) => isRequired && !isMapped(id));
  return [
    ...errors,
    ...missing.map(({ id, name }) => ({
      pointer: `#/fields/all/${id}`,
      code: 'REQUIRED',
      detail: `is required by the tracker (${name})`,
    })),
  ];
}

/** The kinds of the mapped fields, which are stored with the mapping. */
export function fieldKindsOf(mapping: FieldMapping, fields: readonly TrackerField[]): Record<string, TrackerFieldKind> {
  const names = new Set(PARTS.flatMap((part) => Object.keys(mapping[part] ?? {})));
  return Object.fromEntries(fields.filter(({ id }) => names.has(id)).map(({ id, kind }) => [id, kind]));
}

export interface FieldValues {
  severity: number;
  rule: string;
  title: string;
  product: string;
  project: string;
  path: string;
  advisory?: string | undefined;
  package?: string | undefined;
}

/** The values of mapped fields for a ticket, from the worst of its findings. */
export function mappedValues(mapping: FieldMapping, worst: FieldValues): Record<string, string> {
  const fields = { ...mapping.all, ...mapping[worst.product as Part] };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([id, { value, from }]) => {
      const text = from === undefined ? value : from === 'severity' ? SEVERITIES[worst.severity] : worst[from];
      return text === undefined || text === '' ? [] : [[id, text]];
    }),
  );
}
