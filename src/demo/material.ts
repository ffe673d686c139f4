import { readFileSync } from 'node:fs';
import type { Severity } from '#domain/reports/report-items.ts';
import { hexDigest, type SeededRandom } from './random.ts';

/** Templates of made-up findings, from the text files in `material/`. */

export type DemoLanguage = 'javascript' | 'python' | 'go' | 'java';
export type DemoEcosystem = 'npm' | 'maven' | 'pypi' | 'gomod';

/** Code that a rule matches, with placeholders: `<` marks the data source, `>` the match, `=` its fix. */
export interface Snippet {
  rule: string;
  weight: number;
  lines: readonly { mark: string; text: string }[];
}

export interface SnippetWords {
  noun: string;
  verb: string;
}

export interface RenderedSnippet {
  code: string;
  context: string;
  fix?: string;
  /** How many lines above the match the data source is. */
  source?: { above: number; code: string };
  secret?: string;
}

const textOf = (name: string) => readFileSync(new URL(`./material/${name}.txt`, import.meta.url), 'utf8');

function readSnippets(name: string): Snippet[] {
  return textOf(name)
    .split(/^# /m)
    .slice(1)
    .map((section) => {
      const [head = '', ...rows] = section.trimEnd().split('\n');
      const [rule = '', weight = '1'] = head.split(' ');
      return { rule, weight: Number(weight), lines: rows.map((row) => ({ mark: row[0] ?? ' ', text: row.slice(1) })) };
    });
}

const cache = new Map<string, Snippet[]>();

/** The snippets of a language, or of secrets; read on first use. */
export function snippetsOf(name: DemoLanguage | 'secrets'): Snippet[] {
  const snippets = cache.get(name) ?? readSnippets(name);
  cache.set(name, snippets);
  return snippets;
}

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Fills the placeholders of a snippet; a secret in it is derived from the seed. */
export function renderSnippet({ lines }: Snippet, { noun, verb }: SnippetWords, seed: string): RenderedSnippet {
  let secret: string | undefined;
  const filled = (text: string) =>
    text
      .replace(/%s(\d+)/g, (_, length) => {
        const part = hexDigest(`${seed} ${secret ?? ''}`, Number(length));
        secret = secret === undefined ? part : `${secret}-${part}`;
        return part;
      })
      .replace(/%([nNv])/g, (_, letter) => (letter === 'n' ? noun : letter === 'N' ? capital(noun) : verb));
  const shown = lines.filter(({ mark }) => mark !== '=').map(({ mark, text }) => ({ mark, text: filled(text) }));
  const at = shown.findIndex(({ mark }) => mark === '>');
  const sourceAt = shown.findIndex(({ mark }) => mark === '<');
  const fix = lines.find(({ mark }) => mark === '=');
  const source = shown[sourceAt];
  return {
    code: shown[at]?.text.trim() ?? '',
    context: shown
      .slice(Math.max(0, at - 2), at + 3)
      .map(({ text }) => text)
      .join('\n'),
    ...(fix && { fix: filled(fix.text) }),
    ...(source && { source: { above: at - sourceAt, code: source.text.trim() } }),
    ...(secret !== undefined && { secret }),
  };
}

export interface Advisory {
  ecosystem: DemoEcosystem;
  package: string;
  id: string;
  cwe: string;
  severity: Severity;
  version: string;
  fixedIn: string;
  title: string;
}

const rowsOf = (name: string) =>
  textOf(name)
    .trimEnd()
    .split('\n')
    .map((row) => row.split('|'));

let advisories: Advisory[] | undefined;

export function advisoriesOf(ecosystem: DemoEcosystem): Advisory[] {
  advisories ??= rowsOf('advisories').map(
    ([kind = '', name = '', id = '', cwe = '', severity = '', version = '', fixedIn = '', title = '']) => ({
      ecosystem: kind as DemoEcosystem,
      package: name,
      id,
      cwe,
      severity: severity as Severity,
      version,
      fixedIn,
      title,
    }),
  );
  return advisories.filter((advisory) => advisory.ecosystem === ecosystem);
}

export interface UnaffectedPackage {
  package: string;
  version: string;
  license: string;
}

let packages: (UnaffectedPackage & { ecosystem: string })[] | undefined;

/** Packages without known vulnerabilities. */
export function unaffectedPackagesOf(ecosystem: DemoEcosystem): UnaffectedPackage[] {
  packages ??= rowsOf('packages').map(([kind = '', name = '', version = '', license = '']) => ({
    ecosystem: kind,
    package: name,
    version,
    license,
  }));
  return packages.filter((entry) => entry.ecosystem === ecosystem);
}

/** A random sample of the items, in random order. */
export const sampleOf = <Item>(random: SeededRandom, items: readonly Item[], share: number): Item[] =>
  random.shuffled(items).slice(0, Math.max(1, Math.round(items.length * share)));
