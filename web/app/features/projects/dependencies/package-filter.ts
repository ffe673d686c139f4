/** A package name with an optional version or version range. */
interface PackageFilter {
  name: string;
  exactVersion?: string;
  versionLowerBound?: string;
  versionUpperBound?: string;
}

const BOUND = /^(>=|<=|>|<|=)?\s*([0-9A-Za-z][\w.+-]*)$/;

/**
 * Reads `lodash`, `lodash@4.17.20`, `lodash@<4.17.21` and `@scope/pkg@>=1.0.0 <2.0.0`. The range follows the last
 * `@`, because scoped package names start with one.
 */
export function parsePackageFilter(text: string): PackageFilter | undefined {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  if (trimmed === '' || trimmed === '@') return undefined;
  if (at <= 0) return { name: trimmed };
  const filter: PackageFilter = { name: trimmed.slice(0, at) };
  const parts = trimmed.slice(at + 1).split(/[\s,]+(?=[<>=])/);
  for (const part of parts) {
    const [, operator = '=', version = ''] = BOUND.exec(part.trim()) ?? [];
    if (version === '') return undefined;
    if (operator === '=') filter.exactVersion = version;
    else if (operator.startsWith('>')) filter.versionLowerBound = operator + version;
    else filter.versionUpperBound = operator + version;
  }
  return filter;
}
