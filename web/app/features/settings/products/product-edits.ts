export type SettingValue = boolean | number | string | readonly string[];
type Branch = { readonly [name: string]: unknown };

/** Edits that are not sent yet, by the path of the member. */
export type ProductEdits = ReadonlyMap<string, SettingValue>;

const isBranch = (value: unknown): value is Branch =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path such as `sast.ai_autofix.enabled`. */
export function valueAt(settings: unknown, path: string): SettingValue | undefined {
  let value: unknown = settings;
  for (const name of path.split('.')) value = isBranch(value) ? value[name] : undefined;
  return value as SettingValue | undefined;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The edits that differ from what is there. */
export const effectiveEdits = (settings: unknown, edits: ProductEdits): ProductEdits =>
  new Map([...edits].filter(([path, value]) => !isSame(valueAt(settings, path), value)));

/** The body that makes the edits true: members that stay are left out. */
export function productConfigBody(settings: unknown, edits: ProductEdits): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [path, value] of effectiveEdits(settings, edits)) {
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

export interface ChangedSetting {
  path: string;
  before: SettingValue | undefined;
  after: SettingValue | undefined;
}

/** Which of the members changed between two readings. */
export const changedSettings = (before: unknown, after: unknown, paths: readonly string[]): ChangedSetting[] =>
  paths
    .map((path) => ({ path, before: valueAt(before, path), after: valueAt(after, path) }))
    .filter((one) => !isSame(one.before, one.after));

/** A value in words. */
export function formatValue(value: SettingValue | undefined): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return value === undefined || value === '' ? 'none' : String(value);
}
