const TYPES = new Map([
  ['gomod', 'golang'],
  ['swiftpm', 'swift'],
  ['mix', 'hex'],
  ['no_package_manager', 'generic'],
]);

/** A colon is the only thing that `encodeURIComponent` writes as a code and package URLs do not. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%3A', ':');

/** The group and the name in it, as the ecosystem writes them together. */
export function splitName(ecosystem: string, name: string): { group: string; name: string } {
  const separator = ecosystem === 'maven' ? name.indexOf(':') : ecosystem === 'npm' ? name.indexOf('/') : -1;
  if (separator <= 0 || (ecosystem === 'npm' && !name.startsWith('@'))) return { group: '', name };
  return { group: name.slice(0, separator), name: name.slice(separator + 1) };
}

function pathOf(ecosystem: string, name: string): string {
  const { group, name: own } = splitName(ecosystem, name);
  if (group !== '') return `${encode(group)}/${encode(own)}`;
  if (ecosystem === 'pypi') return encode(name.toLowerCase().replaceAll('_', '-'));
  return name.split('/').filter(Boolean).map(encode).join('/');
}

/** The package URL of a dependency whose report gave none. */
export function purlOf({ ecosystem, name, version }: { ecosystem: string; name: string; version: string }): string {
  const type = TYPES.get(ecosystem) ?? ecosystem;
  return `pkg:${type}/${pathOf(ecosystem, name)}${version === '' ? '' : `@${encode(version)}`}`;
}
