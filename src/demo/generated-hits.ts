import { type Advisory, advisoriesOf, type Snippet, type SnippetWords, sampleOf, snippetsOf } from './material.ts';
import { type DemoProject, ECOSYSTEMS } from './projects.ts';
import type { SeededRandom } from './random.ts';
import { NOUNS, VERBS } from './vocabulary.ts';

/** Seen by the scans from one on, up to but without another; 0 is never gone. In days before the demo's moment. */
export interface HitLifetime {
  from: number;
  to: number;
}

interface Place {
  key: string;
  path: string;
  line: number;
  lives: readonly HitLifetime[];
}

/** Something that scanners find in the code of a made-up project. */
export interface CodeHit extends Place {
  kind: 'code' | 'secret';
  snippet: Snippet;
  words: SnippetWords;
  /** From 0 up to 1: what is told of it, beyond what every finding has. */
  roll: number;
}

export interface DependencyHit extends Place {
  kind: 'dependency';
  advisory: Advisory;
  roll: number;
}

export type Hit = CodeHit | DependencyHit;

export interface GeneratedHits {
  hits: Hit[];
  /** All files, with the day on which one was deleted. */
  files: Map<string, number>;
  lockfiles: string[];
}

export const isAlive = ({ lives }: Pick<Place, 'lives'>, ago: number): boolean =>
  lives.some(({ from, to }) => from >= ago && ago > to);

/** Deleted files are searched no more, so that what was in them is removed and not fixed. */
export const isFilePresent = (deletedAgo: number, ago: number): boolean => deletedAgo === 0 || ago > deletedAgo;

const FOLDERS: Readonly<Record<DemoProject['language'], readonly string[]>> = {
  javascript: ['src/pages', 'src/api', 'src/components', 'src/server', 'packages/ui/src', 'scripts'],
  python: ['app', 'app/jobs', 'app/api', 'pipelines', 'tools', 'tests'],
  go: ['cmd/server', 'internal/api', 'internal/store', 'pkg/client', 'internal/jobs'],
  java: ['src/main/java/com/acme/api', 'src/main/java/com/acme/service', 'src/main/java/com/acme/web', 'src/test/java'],
};

const HITS_A_FILE = 5;
/** One file in this many is deleted some day. */
const DELETED_SHARE = 0.03;
export const NOISY_RULE = 'parapet.javascript.weak-random-token';

/** The scan by which something of this age is first seen. */
const firstSeenAt = (scans: readonly number[], ago: number): number => scans.find((scan) => scan <= ago) ?? 0;

function bornAt(random: SeededRandom, { scans, spike }: DemoProject): number {
  const [first = 0] = scans;
  const last = scans.at(-1) ?? 0;
  const roll = random.share();
  if (spike && roll < spike.share) return firstSeenAt(scans, random.between(spike.ago - 1, spike.ago + 2));
  if (roll < 0.55) return first;
  return firstSeenAt(scans, random.between(last, first)) || last;
}

/** When it was fixed: in the sprint, at some time, or not yet (0). */
function diedAt(random: SeededRandom, { scans, sprint, fixRate }: DemoProject, born: number): number {
  const last = scans.at(-1) ?? 0;
  if (sprint && born > sprint.from && random.happens(sprint.share))
    return firstSeenAt(scans, random.between(sprint.to, sprint.from));
  if (!random.happens(fixRate)) return 0;
  const died = firstSeenAt(scans, random.between(last, born));
  return died < born ? died : 0;
}

function livesOf(random: SeededRandom, estate: DemoProject, isNoisy: boolean): HitLifetime[] {
  const born = bornAt(random, estate);
  const died = isNoisy ? 0 : diedAt(random, estate, born);
  const isBack = died > 30 && random.happens(0.05);
  const back = isBack ? firstSeenAt(estate.scans, died - random.between(10, 25)) : 0;
  return back > 0 && back < died
    ? [
        { from: born, to: died },
        { from: back, to: 0 },
      ]
    : [{ from: born, to: died }];
}

function filesOf(random: SeededRandom, { language, findings, scans }: DemoProject): Map<string, number> {
  const { extension } = ECOSYSTEMS[language];
  const files = new Map<string, number>();
  const wanted = Math.max(6, Math.ceil(findings / HITS_A_FILE));
  for (let number = 0; files.size < wanted; number++) {
    const name = `${random.pick(NOUNS)}-${random.pick(VERBS)}${number >= wanted ? `-${number}` : ''}`;
    const isDeleted = random.happens(DELETED_SHARE);
    const deletedAgo = isDeleted ? firstSeenAt(scans, random.between(scans.at(-1) ?? 0, 120)) : 0;
    files.set(`${random.pick(FOLDERS[language])}/${name}.${extension}`, deletedAgo);
  }
  return files;
}

const SETTINGS_FILES = [
  '.env.staging',
  'deploy/values.yaml',
  'config/local.ini',
  'docker-compose.yml',
  'ci/release.yml',
];

/** Each time other words, so that no two matches of a rule in a project are the same code. */
class WordsInTurn {
  readonly #counts = new Map<string, number>();
  readonly #offset: number;

  constructor(random: SeededRandom) {
    this.#offset = random.whole(0, NOUNS.length - 1);
  }

  next(rule: string): SnippetWords {
    const count = this.#counts.get(rule) ?? 0;
    this.#counts.set(rule, count + 1);
    const round = Math.floor(count / NOUNS.length);
    const noun = NOUNS[(count + this.#offset) % NOUNS.length] ?? 'order';
    const verb = VERBS[(count + round) % VERBS.length] ?? 'load';
    const lap = Math.floor(round / VERBS.length);
    return { noun: lap === 0 ? noun : `${noun}${lap}`, verb };
  }
}

class Lines {
  readonly #last = new Map<string, number>();

  next(random: SeededRandom, path: string): number {
    const line = (this.#last.get(path) ?? 8) + random.whole(9, 46);
    this.#last.set(path, line);
    return line;
  }
}

function dependencyHits(random: SeededRandom, estate: DemoProject): { hits: DependencyHit[]; lockfiles: string[] } {
  const { ecosystem, lockfile } = ECOSYSTEMS[estate.language];
  const folders = ['', 'services/worker/', 'services/admin/', 'tools/'];
  const lockfiles = folders.slice(0, 1 + (estate.index % 4 === 3 ? 1 : 3)).map((folder) => folder + lockfile);
  const lines = new Lines();
  const hits = lockfiles.flatMap((path) => {
    const packages = new Set<string>();
    return sampleOf(random, advisoriesOf(ecosystem), random.between(0.5, 0.9)).flatMap((advisory): DependencyHit[] => {
      // A lock file has one version of a package.
      if (packages.has(advisory.package)) return [];
      packages.add(advisory.package);
      const key = `${path} ${advisory.id} ${advisory.package}`;
      const lives = livesOf(random, estate, false);
      return [{ kind: 'dependency', key, path, line: lines.next(random, path), lives, advisory, roll: random.share() }];
    });
  });
  return { hits, lockfiles };
}

const SECRETS_SHARE = 0.05;

function codeHit(random: SeededRandom, estate: DemoProject, site: Site): CodeHit {
  const isSecret = random.happens(SECRETS_SHARE);
  const snippet = random.pickWeighted(snippetsOf(isSecret ? 'secrets' : estate.language));
  const path = random.pick(isSecret ? SETTINGS_FILES : site.paths);
  const words = site.words.next(snippet.rule);
  const line = site.lines.next(random, path);
  const key = `${path} ${snippet.rule} ${words.noun} ${words.verb}`;
  const deletedAgo = site.files.get(path) ?? 0;
  const lives = livesOf(random, estate, snippet.rule === NOISY_RULE).flatMap(({ from, to }): HitLifetime[] =>
    deletedAgo > 0 && from <= deletedAgo ? [] : [{ from, to: Math.max(to, deletedAgo) }],
  );
  return { kind: isSecret ? 'secret' : 'code', key, path, line, lives, snippet, words, roll: random.share() };
}

interface Site {
  files: Map<string, number>;
  paths: readonly string[];
  words: WordsInTurn;
  lines: Lines;
}

/** All that was ever found on the primary branch of a project. */
export function generateHits(estate: DemoProject, random: SeededRandom): GeneratedHits {
  const files = filesOf(random.fork('files'), estate);
  const { hits: dependencies, lockfiles } = dependencyHits(random.fork('dependencies'), estate);
  const code = random.fork('code');
  const site: Site = { files, paths: [...files.keys()], words: new WordsInTurn(code), lines: new Lines() };
  const hits: Hit[] = [...dependencies];
  while (hits.length < estate.findings) {
    const hit = codeHit(code, estate, site);
    if (hit.lives.length > 0) hits.push(hit);
  }
  for (const path of [...SETTINGS_FILES, ...lockfiles]) files.set(path, 0);
  return { hits, files, lockfiles };
}
