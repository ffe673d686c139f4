import { normalisePath } from '../../identity/report-paths.ts';
import {
  type LooseObject,
  nonEmptyTexts,
  object,
  objects,
  text,
  texts,
  withoutUndefined,
} from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import { confidenceOf, cwesIn, rankedAdvisories, severityOf } from '../taxonomy.ts';

/** The ecosystem of each package manager, and of the lockfiles and manifests that GitLab reads. */
const ECOSYSTEMS: Record<string, RegExp> = {
  npm: /^(npm|yarn|pnpm|bun|package(-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml)$/,
  pypi: /^(pip|pipenv|poetry|uv|setuptools|setup\.py|requirements[\w.-]*|pipfile(\.lock)?|(poetry|uv)\.lock)$/,
  gomod: /^(go|go\.(mod|sum))$/,
  maven: /^(maven|gradle|sbt|pom\.xml|gradle\.lockfile|build\.(gradle(\.kts)?|sbt)|gradle-dependencies\.json)$/,
  gem: /^(bundler|gemfile(\.lock)?|gems\.(rb|locked))$/,
  cargo: /^(cargo|cargo\.(toml|lock))$/,
  composer: /^(composer|composer\.(json|lock))$/,
  nuget: /^(nuget|packages\.lock\.json|packages\.config|[\w.-]*\.csproj)$/,
  conan: /^(conan|conan\.lock|conanfile\.(txt|py))$/,
  swiftpm: /^(swift|package\.resolved)$/,
  pub: /^(pub|pubspec\.(yaml|lock))$/,
};

function ecosystemOf(...names: (string | undefined)[]): string {
  const known = names.map((name) => name?.toLowerCase().replace(/^.*\//, '') ?? '');
  return Object.entries(ECOSYSTEMS).find(([, pattern]) => known.some((name) => pattern.test(name)))?.[0] ?? '';
}

const packageOf = (entry: LooseObject): string | undefined => text(object(entry['package'])['name']);

const transitivityOf = ({ direct }: LooseObject): 'direct' | 'transitive' | 'unknown' =>
  direct === true ? 'direct' : direct === false ? 'transitive' : 'unknown';

/** Types of identifiers that name a weakness, not an advisory. */
const WEAKNESSES = new Set(['cwe', 'owasp', 'wasc']);

/** A vulnerable dependency; undefined if the vulnerability is not in a dependency. */
export function dependencyFinding(value: LooseObject): ReportItem | undefined {
  const location = object(value['location']);
  const dependency = object(location['dependency']);
  const name = packageOf(dependency);
  if (name === undefined) return undefined;
  const identifiers = objects(value['identifiers']);
  const typeOf = (entry: LooseObject) => text(entry['type'])?.toLowerCase() ?? '';
  const named = identifiers.filter((entry) => !WEAKNESSES.has(typeOf(entry)));
  const advisories = rankedAdvisories(
    named.flatMap((entry) =>
      texts(entry['value']).map((id) => (/^(cve|ghsa)/i.test(id) ? id.toUpperCase() : `${typeOf(entry)}:${id}`)),
    ),
  );
  const version = text(dependency['version']) ?? '';
  const path = normalisePath(text(location['file']) ?? text(location['image']) ?? '');
  const rule = advisories[0] ?? text(value['name']) ?? name;
  const fix = /^(?:upgrade|update) to (?:version )?(\d[\w.+-]*\w)/i.exec(text(value['solution']) ?? '')?.[1];
  return {
    kind: 'finding',
    ...withoutUndefined({
      product: 'sca' as const,
      rule,
      path,
      region: { line: 0, column: 0, endLine: 0, endColumn: 0 },
      message: text(value['description']) ?? text(value['message']) ?? text(value['name']) ?? rule,
      title: text(value['name']),
      severity: severityOf(value['severity']),
      confidence: confidenceOf(value['confidence']),
      cwes: cwesIn(identifiers.filter((entry) => typeOf(entry) === 'cwe').flatMap((entry) => texts(entry['name']))),
      references: nonEmptyTexts(objects(value['links']).map((link) => link['url'])),
      fingerprints: {},
      sca: withoutUndefined({
        advisories,
        package: name,
        version,
        ecosystem: ecosystemOf(path, text(location['operating_system'])),
        transitivity: transitivityOf(dependency),
        fixVersions: fix === undefined ? undefined : [fix],
      }),
    }),
  };
}

/** The dependencies that a scan read from one file. */
export function* dependenciesOfFile(file: LooseObject): Iterable<ReportItem> {
  const path = normalisePath(text(file['path']) ?? '');
  const ecosystem = ecosystemOf(text(file['package_manager']), path);
  for (const entry of objects(file['dependencies'])) {
    const name = packageOf(entry);
    if (name === undefined) continue;
    yield {
      kind: 'dependency',
      package: name,
      version: text(entry['version']) ?? '',
      ecosystem,
      transitivity: transitivityOf(entry),
      path,
    };
  }
}
