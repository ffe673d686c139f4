import { packageOf, parsePurl } from '../identity/package-url.ts';
import { word } from './result-items.ts';

/** Names that tools give to package managers, and the one that is used here. */
const ECOSYSTEMS: Record<string, readonly string[]> = {
  npm: ['npm', 'node', 'nodejs', 'node-pkg', 'node.js', 'yarn', 'pnpm', 'javascript', 'bun'],
  pypi: ['pypi', 'pip', 'python', 'python-pkg', 'pipenv', 'poetry', 'uv', 'conda-pkg'],
  gomod: ['gomod', 'go', 'golang', 'go-module', 'gomodules', 'gobinary', 'govendor'],
  maven: ['maven', 'java', 'java-archive', 'jar', 'pom', 'gradle', 'sbt', 'jenkins-plugin'],
  gem: ['gem', 'rubygems', 'ruby', 'bundler', 'gemspec'],
  cargo: ['cargo', 'crates.io', 'rust', 'rust-crate', 'rust-binary', 'rustbinary'],
  composer: ['composer', 'packagist', 'php', 'php-composer'],
  nuget: ['nuget', 'dotnet', 'dotnet-core', '.net', 'packages-props'],
  hex: ['hex', 'mix', 'erlang', 'elixir'],
  pub: ['pub', 'dart', 'dart-pub'],
  swiftpm: ['swiftpm', 'swift', 'swifturl'],
  cocoapods: ['cocoapods'],
  conan: ['conan', 'conancenter', 'c', 'c++'],
  deb: ['deb', 'debian', 'ubuntu', 'dpkg'],
  apk: ['apk', 'alpine', 'wolfi', 'chainguard'],
  rpm: ['rpm', 'redhat', 'centos', 'rocky', 'alma', 'fedora', 'amazon', 'oracle', 'suse', 'opensuse', 'photon'],
};

const NAMES = new Map(
  Object.entries(ECOSYSTEMS).flatMap(([name, words]) => words.map((one): [string, string] => [one, name])),
);

/** The ecosystem by any of its names; `Debian:12` is Debian. An unknown name is kept in lower case. */
export function ecosystemOf(name: unknown): string {
  const given = (word(name) ?? '').toLowerCase().split(':', 1)[0] ?? '';
  return NAMES.get(given) ?? given;
}

/** Ecosystem, name and version of a package URL; undefined if it is none. */
export function packageOfPurl(value: unknown): ReturnType<typeof packageOf> | undefined {
  const purl = parsePurl(word(value) ?? '');
  return purl && packageOf(purl);
}
