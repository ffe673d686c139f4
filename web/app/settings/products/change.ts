export type Value = boolean | number | string | readonly string[];
type Branch = { readonly [name: string]: unknown };

/** Edits that are not sent yet, by the path of the member. */
export type Edits = ReadonlyMap<string, Value>;

const isBranch = (value: unknown): value is Branch =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path such as `sast.ai_autofix.enabled`. */
export function valueAt(settings: unknown, path: string): Value | undefined {
  let value: unknown = settings;
  for (const name of path.split('.')) value = isBranch(value) ? value[name] : undefined;
  return value as Value | undefined;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The edits that differ from what is there. */
export const realEdits = (settings: unknown, edits: Edits): Edits =>
  new Map([...edits].filter(([path, value]) => !isSame(valueAt(settings, path), value)));

/** The body that makes the edits true: members that stay are left out. */
export function bodyOf(settings: unknown, edits: Edits): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [path, value] of realEdits(settings, edits)) {
    const names = path.split('.');
    const last = names.pop() ?? path;
    let branch = body;
    for (const name of names) {
      branch[name] ??= {};
      branch = branch[name] as Record<string, unknown>;
    }
    branch[last] = value;
  }
  return body;
}

export interface Moved {
  path: string;
  before: Value | undefined;
  after: Value | undefined;
}

/** Which of the members changed between two readings. */
export const movedBetween = (before: unknown, after: unknown, paths: readonly string[]): Moved[] =>
  paths
    .map((path) => ({ path, before: valueAt(before, path), after: valueAt(after, path) }))
    .filter((one) => !isSame(one.before, one.after));

/** A value in words. */
export function wordOf(value: Value | undefined): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return value === undefined || value === '' ? 'none' : String(value);
}
