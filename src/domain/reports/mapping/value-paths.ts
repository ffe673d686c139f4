import { type LooseObject, object } from '../json/loose-values.ts';
import type { XmlElement } from '../xml/xml-element-reader.ts';

/** The text of an element that has attributes or children too. */
const TEXT = '#text';

const MAX_VALUES = 1000;

/**
 * Reads paths such as `location.file`, `ids[0]` and `ids[].value`; a name with dots is found as it is. Where a list has
 * no index, all of its elements count.
 */
export function valuesAt(record: LooseObject, path: string): unknown[] {
  if (Object.hasOwn(record, path)) return flat(record[path]);
  let found: unknown[] = [record];
  for (const [step] of path.matchAll(/\[\d*\]|[^.[\]]+/g)) {
    found = found.slice(0, MAX_VALUES).flatMap((value) => stepInto(value, step));
    if (found.length === 0) return [];
  }
  return found.flatMap(flat);
}

function stepInto(value: unknown, step: string): unknown[] {
  if (step === '[]') return Array.isArray(value) ? value : [value];
  if (step.startsWith('['))
    return Array.isArray(value) ? value.slice(Number(step.slice(1, -1)), Number(step.slice(1, -1)) + 1) : [];
  if (Array.isArray(value)) return value.slice(0, MAX_VALUES).flatMap((one) => stepInto(one, step));
  const holder = object(value);
  return Object.hasOwn(holder, step) ? [holder[step]] : [];
}

/** Texts and numbers; those of an element with attributes are its text. */
function flat(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.slice(0, MAX_VALUES).flatMap(flat);
  if (typeof value === 'object' && value !== null) return TEXT in value ? [(value as LooseObject)[TEXT]] : [];
  return value === null || value === undefined || value === '' ? [] : [value];
}

/** An element as an object: attributes as `@name`, children by their names, repeated ones as a list. */
export function elementValue({ attributes, children, text }: XmlElement): LooseObject {
  const entries = new Map<string, unknown>(Object.entries(attributes).map(([name, value]) => [`@${name}`, value]));
  if (text !== '') entries.set(TEXT, text);
  for (const child of children) {
    const value = elementValue(child);
    const known = entries.get(child.name);
    if (Array.isArray(known)) known.push(value);
    else entries.set(child.name, known === undefined ? value : [known, value]);
  }
  return Object.fromEntries(entries);
}
