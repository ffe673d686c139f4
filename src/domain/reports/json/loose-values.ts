/** Untrusted JSON: a member of an unexpected type counts as absent. */
export type LooseObject = Record<string, unknown>;

export const object = (value: unknown): LooseObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LooseObject) : {};

/** The object, if it has members. */
export const nonEmptyObject = (value: unknown): LooseObject | undefined => {
  const found = object(value);
  return Object.keys(found).length > 0 ? found : undefined;
};

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const objects = (value: unknown): LooseObject[] => list(value).map(object);

/** A non-empty string. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((entry) => text(entry) ?? []);

/** Appends in a loop: spreading very many items into a call overflows the stack. */
export function addAll<T>(to: T[], more: Iterable<T>): void {
  for (const entry of more) to.push(entry);
}

/** The distinct non-empty strings, or undefined if there are none. */
export const nonEmptyTexts = (value: unknown): string[] | undefined => {
  const found = [...new Set(texts(value))];
  return found.length > 0 ? found : undefined;
};

const MAX_POSITION = 2 ** 31 - 1;

/** A line or column; 0 if unknown. */
export const position = (value: unknown): number => {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= MAX_POSITION ? number : 0;
};

export const number = (value: unknown): number | undefined => {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
};

export type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Omits undefined members; only for objects with fixed member names. */
export function withoutUndefined<T extends object>(value: T): WithoutUndefined<T> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) kept[name] = member;
  }
  return kept as WithoutUndefined<T>;
}
