/** A package URL: `pkg:type/namespace/name@version?qualifiers#subpath`. */
export interface Purl {
  type: string;
  namespace?: string;
  name: string;
  version?: string;
  qualifiers?: Record<string, string>;
  subpath?: string;
}

/** Undefined if it is invalid. Names are kept as written: normalization depends on the type. */
export function parsePurl(text: string): Purl | undefined {
  const scheme = /^pkg:\/*/i.exec(text)?.[0];
  if (scheme === undefined) return undefined;
  let rest = text.slice(scheme.length);
  const [beforeSubpath, subpath] = cutAtLast(rest, '#');
  const [beforeQualifiers, query] = cutAtLast(beforeSubpath, '?');
  rest = beforeQualifiers.replace(/(?<!\/)\/+$/, '');
  // `@` and `/` in a version must be encoded, but tools write `@v1/…` and `@scope/name` unencoded.
  const at = rest.lastIndexOf('@');
  const hasVersion = at > 0 && rest[at - 1] !== '/';
  const version = hasVersion ? decoded(rest.slice(at + 1)) : '';
  const [type = '', ...segments] = (hasVersion ? rest.slice(0, at) : rest).split('/').filter((entry) => entry !== '');
  const names = segments.map(decoded);
  const name = names.pop() ?? '';
  if (!/^[a-z][a-z\d.+-]*$/i.test(type) || name === '') return undefined;
  const qualifiers = qualifiersOf(query);
  const path = segmentsOf(subpath).join('/');
  return {
    type: type.toLowerCase(),
    ...(names.length > 0 ? { namespace: names.join('/') } : {}),
    name,
    ...(version === '' ? {} : { version }),
    ...(Object.keys(qualifiers).length > 0 ? { qualifiers } : {}),
    ...(path === '' ? {} : { subpath: path }),
  };
}

/** The canonical form: encoded, with sorted qualifiers. */
export function formatPurl({ type, namespace, name, version, qualifiers = {}, subpath }: Purl): string {
  const query = Object.entries(qualifiers)
    .filter(([, value]) => value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${encoded(value)}`)
    .join('&');
  return [
    packagePart(type, [...(namespace?.split('/') ?? []), name], version),
    query === '' ? '' : `?${query}`,
    subpath === undefined ? '' : `#${subpath.split('/').map(encoded).join('/')}`,
  ].join('');
}

/** Types and ecosystems with different names. */
const ECOSYSTEM_OF_TYPE: Record<string, string> = { golang: 'gomod', swift: 'swiftpm' };
const TYPE_OF_ECOSYSTEM: Record<string, string> = {
  gomod: 'golang',
  swiftpm: 'swift',
  mix: 'hex',
  no_package_manager: 'generic',
};

/** The package in the notation of its ecosystem. */
export function packageOf({ type, namespace, name, version = '' }: Purl) {
  const separator = type === 'maven' ? ':' : '/';
  return {
    ecosystem: ECOSYSTEM_OF_TYPE[type] ?? type,
    package: namespace === undefined ? name : namespace + separator + name,
    version,
  };
}

/** The group and the name of a package, as its ecosystem separates them. */
export function splitName(ecosystem: string, name: string): { group: string; name: string } {
  const separator = ecosystem === 'maven' ? name.indexOf(':') : ecosystem === 'npm' ? name.indexOf('/') : -1;
  if (separator <= 0 || (ecosystem === 'npm' && !name.startsWith('@'))) return { group: '', name };
  return { group: name.slice(0, separator), name: name.slice(separator + 1) };
}

/** The package URL of a package in the notation of its ecosystem; an empty version is omitted. */
export function purlOf({ ecosystem, name, version }: { ecosystem: string; name: string; version: string }): string {
  const type = Object.hasOwn(TYPE_OF_ECOSYSTEM, ecosystem) ? TYPE_OF_ECOSYSTEM[ecosystem] : undefined;
  return packagePart(type ?? ecosystem, nameSegments(ecosystem, name), version === '' ? undefined : version);
}

function nameSegments(ecosystem: string, name: string): string[] {
  const { group, name: ownName } = splitName(ecosystem, name);
  if (group !== '') return [group, ownName];
  // PyPI names are compared without case, and with `_` as `-`.
  if (ecosystem === 'pypi') return [name.toLowerCase().replaceAll('_', '-')];
  return name.split('/').filter(Boolean);
}

const packagePart = (type: string, segments: readonly string[], version: string | undefined): string =>
  `pkg:${type}/${segments.map(encoded).join('/')}${version === undefined ? '' : `@${encoded(version)}`}`;

/** Package URLs keep colons, which `encodeURIComponent` would encode. */
const encoded = (part: string) => encodeURIComponent(part.toWellFormed()).replaceAll('%3A', ':');

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function cutAtLast(text: string, mark: string): [before: string, after: string] {
  const at = text.lastIndexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

const segmentsOf = (path: string) =>
  path
    .split('/')
    .map(decoded)
    .filter((entry) => entry !== '' && entry !== '.' && entry !== '..');

function qualifiersOf(query: string): Record<string, string> {
  const pairs = query.split('&').flatMap((pair) => {
    const equals = pair.indexOf('=');
    const key = pair.slice(0, Math.max(0, equals)).toLowerCase();
    const value = decoded(pair.slice(equals + 1));
    return /^[a-z][a-z\d._-]*$/.test(key) && value !== '' ? [[key, value] as const] : [];
  });
  return Object.fromEntries(pairs);
}
