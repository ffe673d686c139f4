/** Reads what strangers wrote: a member of another type than expected counts as absent. */
export type LooseObject = Record<string, unknown>;

export const object = (value: unknown): LooseObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LooseObject) : {};

/** The object, when it is one and has members. */
export const nonEmptyObject = (value: unknown): LooseObject | undefined => {
  const found = object(value);
  return Object.keys(found).length > 0 ? found : undefined;
};

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const objects = (value: unknown): LooseObject[] => list(value).map(object);

/** A text that says something. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one) => text(one) ?? []);

/** Adds all of them; spreading them into a call would fail for very many. */
export function addAll<T>(to: T[], more: Iterable<T>): void {
  for (const one of more) to.push(one);
}

/** The texts, or undefined when there are none, each once. */
export const nonEmptyTexts = (value: unknown): string[] | undefined => {
  const found = [...new Set(texts(value))];
  return found.length > 0 ? found : undefined;
};

const MAX_POSITION = 2 ** 31 - 1;

/** A line or column: 0 where the report does not say. */
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

/** Without the members that are undefined; only for objects whose names we chose ourselves. */
export function withoutUndefined<T extends object>(value: T): WithoutUndefined<T> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) kept[name] = member;
  }
  return kept as WithoutUndefined<T>;
}
