export type SettingValue = boolean | number | string | readonly string[];
type SettingsNode = { readonly [name: string]: unknown };

/** Unsaved edits by setting path. */
export type ProductEdits = ReadonlyMap<string, SettingValue>;

const isNode = (value: unknown): value is SettingsNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path such as `sast.ai_autofix.enabled`. */
export function valueAt(settings: unknown, path: string): SettingValue | undefined {
  let value: unknown = settings;
  for (const name of path.split('.')) value = isNode(value) ? value[name] : undefined;
  return value as SettingValue | undefined;
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The edits that differ from the current settings. */
export const effectiveEdits = (settings: unknown, edits: ProductEdits): ProductEdits =>
  new Map([...edits].filter(([path, value]) => !isEqual(valueAt(settings, path), value)));

/** The request body for the edits; unchanged members are omitted. */
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

/** The settings that differ between two versions. */
export const changedSettings = (before: unknown, after: unknown, paths: readonly string[]): ChangedSetting[] =>
  paths
    .map((path) => ({ path, before: valueAt(before, path), after: valueAt(after, path) }))
    .filter(({ before: old, after: now }) => !isEqual(old, now));

/** Formats a value for display. */
export function formatValue(value: SettingValue | undefined): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return value === undefined || value === '' ? 'none' : String(value);
}
