/** What people write to find a package: a name, and perhaps which versions of it. */
export interface PackageFilter {
  name: string;
  exactVersion?: string;
  versionLowerBound?: string;
  versionUpperBound?: string;
}

const BOUND = /^(>=|<=|>|<|=)?\s*([0-9A-Za-z][\w.+-]*)$/;

/**
 * Reads `lodash`, `lodash@4.17.20`, `lodash@<4.17.21` and `@scope/pkg@>=1.0.0 <2.0.0`. What stands behind the last `@`
 * is the range, because names of packages may begin with one.
 */
export function parsePackageFilter(text: string): PackageFilter | undefined {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  if (trimmed === '' || trimmed === '@') return undefined;
  if (at <= 0) return { name: trimmed };
  const question: PackageFilter = { name: trimmed.slice(0, at) };
  const parts = trimmed.slice(at + 1).split(/[\s,]+(?=[<>=])/);
  for (const part of parts) {
    const [, operator = '=', version = ''] = BOUND.exec(part.trim()) ?? [];
    if (version === '') return undefined;
    if (operator === '=') question.exactVersion = version;
    else if (operator.startsWith('>')) question.versionLowerBound = operator + version;
    else question.versionUpperBound = operator + version;
  }
  return question;
}
