import { type Advisory, advisoriesOf, type Snippet, type SnippetWords, sampleOf, snippetsOf } from './material.ts';
import { type DemoProject, ECOSYSTEMS } from './projects.ts';
import type { SeededRandom } from './random.ts';
import { NOUNS, VERBS } from './vocabulary.ts';

/** Found by the scans in a period; `to` is exclusive, and 0 means not fixed. In days before the demo was created. */
export interface HitLifetime {
  from: number;
  to: number;
}

interface HitLocation {
  key: string;
  path: string;
  line: number;
  lives: readonly HitLifetime[];
}

/** A finding in the code of a made-up project. */
export interface CodeHit extends HitLocation {
  kind: 'code' | 'secret';
  snippet: Snippet;
  words: SnippetWords;
  /** A random number from 0 to 1, which decides on optional details. */
  roll: number;
}

export interface DependencyHit extends HitLocation {
  kind: 'dependency';
  advisory: Advisory;
  roll: number;
}

export type Hit = CodeHit | DependencyHit;

export interface GeneratedHits {
  hits: Hit[];
  /** All files, with the day on which they were deleted; 0 for never. */
  files: Map<string, number>;
  lockfiles: string[];
}

export const isAlive = ({ lives }: Pick<HitLocation, 'lives'>, ago: number): boolean =>
  lives.some(({ from, to }) => from >= ago && ago > to);

/** Deleted files are no longer scanned, so their findings are removed and not fixed. */
export const isFilePresent = (deletedAgo: number, ago: number): boolean => deletedAgo === 0 || ago > deletedAgo;

const FOLDERS: Readonly<Record<DemoProject['language'], readonly string[]>> = {
  javascript: ['src/pages', 'src/api', 'src/components', 'src/server', 'packages/ui/src', 'scripts'],
  python: ['app', 'app/jobs', 'app/api', 'pipelines', 'tools', 'tests'],
  go: ['cmd/server', 'internal/api', 'internal/store', 'pkg/client', 'internal/jobs'],
  java: ['src/main/java/com/acme/api', 'src/main/java/com/acme/service', 'src/main/java/com/acme/web', 'src/test/java'],
};

const HITS_PER_FILE = 5;
/** The share of files that is deleted at some time. */
const DELETED_SHARE = 0.03;
export const NOISY_RULE = 'parapet.javascript.weak-random-token';

/** The first scan after a point in time. */
const firstSeenAt = (scans: readonly number[], ago: number): number => scans.find((scan) => scan <= ago) ?? 0;

function introducedAt(random: SeededRandom, { scans, spike }: DemoProject): number {
  const [first = 0] = scans;
  const last = scans.at(-1) ?? 0;
  const roll = random.share();
  if (spike && roll < spike.share) return firstSeenAt(scans, random.between(spike.ago - 1, spike.ago + 2));
  if (roll < 0.55) return first;
  return firstSeenAt(scans, random.between(last, first)) || last;
}

/** When a finding is fixed: in the sprint, at some other time, or not yet (0). */
function fixedAt(random: SeededRandom, { scans, sprint, fixRate }: DemoProject, introduced: number): number {
  const last = scans.at(-1) ?? 0;
  if (sprint && introduced > sprint.from && random.happens(sprint.share))
    return firstSeenAt(scans, random.between(sprint.to, sprint.from));
  if (!random.happens(fixRate)) return 0;
  const fixed = firstSeenAt(scans, random.between(last, introduced));
  return fixed < introduced ? fixed : 0;
}

function livesOf(random: SeededRandom, demoProject: DemoProject, isNoisy: boolean): HitLifetime[] {
  const introduced = introducedAt(random, demoProject);
  const fixed = isNoisy ? 0 : fixedAt(random, demoProject, introduced);
  const isReintroduced = fixed > 30 && random.happens(0.05);
  const reintroduced = isReintroduced ? firstSeenAt(demoProject.scans, fixed - random.between(10, 25)) : 0;
  return reintroduced > 0 && reintroduced < fixed
    ? [
        { from: introduced, to: fixed },
        { from: reintroduced, to: 0 },
      ]
    : [{ from: introduced, to: fixed }];
}

function filesOf(random: SeededRandom, { language, findings, scans }: DemoProject): Map<string, number> {
  const { extension } = ECOSYSTEMS[language];
  const files = new Map<string, number>();
  const fileCount = Math.max(6, Math.ceil(findings / HITS_PER_FILE));
  for (let number = 0; files.size < fileCount; number++) {
    const name = `${random.pick(NOUNS)}-${random.pick(VERBS)}${number >= fileCount ? `-${number}` : ''}`;
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

/** Returns different words each time, so that no two matches of a rule in a project are the same code. */
class WordSequence {
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

class LineSequence {
  readonly #last = new Map<string, number>();

  next(random: SeededRandom, path: string): number {
    const line = (this.#last.get(path) ?? 8) + random.whole(9, 46);
    this.#last.set(path, line);
    return line;
  }
}

function dependencyHits(
  random: SeededRandom,
  demoProject: DemoProject,
): { hits: DependencyHit[]; lockfiles: string[] } {
  const { ecosystem, lockfile } = ECOSYSTEMS[demoProject.language];
  const folders = ['', 'services/worker/', 'services/admin/', 'tools/'];
  const lockfiles = folders.slice(0, 1 + (demoProject.index % 4 === 3 ? 1 : 3)).map((folder) => folder + lockfile);
  const lines = new LineSequence();
  const hits = lockfiles.flatMap((path) => {
    const packages = new Set<string>();
    return sampleOf(random, advisoriesOf(ecosystem), random.between(0.5, 0.9)).flatMap((advisory): DependencyHit[] => {
      // A lock file has one version of a package.
      if (packages.has(advisory.package)) return [];
      packages.add(advisory.package);
      const key = `${path} ${advisory.id} ${advisory.package}`;
      const lives = livesOf(random, demoProject, false);
      return [{ kind: 'dependency', key, path, line: lines.next(random, path), lives, advisory, roll: random.share() }];
    });
  });
  return { hits, lockfiles };
}

const SECRETS_SHARE = 0.05;

function codeHit(random: SeededRandom, demoProject: DemoProject, codeBase: CodeBase): CodeHit {
  const isSecret = random.happens(SECRETS_SHARE);
  const snippet = random.pickWeighted(snippetsOf(isSecret ? 'secrets' : demoProject.language));
  const path = random.pick(isSecret ? SETTINGS_FILES : codeBase.paths);
  const words = codeBase.words.next(snippet.rule);
  const line = codeBase.lines.next(random, path);
  const key = `${path} ${snippet.rule} ${words.noun} ${words.verb}`;
  const deletedAgo = codeBase.files.get(path) ?? 0;
  const lives = livesOf(random, demoProject, snippet.rule === NOISY_RULE).flatMap(({ from, to }): HitLifetime[] =>
    deletedAgo > 0 && from <= deletedAgo ? [] : [{ from, to: Math.max(to, deletedAgo) }],
  );
  return { kind: isSecret ? 'secret' : 'code', key, path, line, lives, snippet, words, roll: random.share() };
}

interface CodeBase {
  files: Map<string, number>;
  paths: readonly string[];
  words: WordSequence;
  lines: LineSequence;
}

/** All findings that the primary branch of a project ever had. */
export function generateHits(demoProject: DemoProject, random: SeededRandom): GeneratedHits {
  const files = filesOf(random.fork('files'), demoProject);
  const { hits: dependencies, lockfiles } = dependencyHits(random.fork('dependencies'), demoProject);
  const code = random.fork('code');
  const codeBase: CodeBase = {
    files,
    paths: [...files.keys()],
    words: new WordSequence(code),
    lines: new LineSequence(),
  };
  const hits: Hit[] = [...dependencies];
  while (hits.length < demoProject.findings) {
    const hit = codeHit(code, demoProject, codeBase);
    if (hit.lives.length > 0) hits.push(hit);
  }
  for (const path of [...SETTINGS_FILES, ...lockfiles]) files.set(path, 0);
  return { hits, files, lockfiles };
}
