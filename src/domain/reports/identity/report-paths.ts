/** A path as a report gives it, in the form that git has: POSIX, without `file://`, `./` and doubled slashes. */
export function normalisePath(given: string): string {
  let path = given;
  if (/^file:/i.test(path)) path = decoded(path.replace(/^file:(\/\/[^/]*)?/i, ''));
  if (/^[a-z]:[\\/]/i.test(path) || (path.includes('\\') && !path.includes('/'))) path = path.replaceAll('\\', '/');
  path = path.replace(/^\/(?=[a-z]:\/)/i, '').replace(/^[a-z]:(?=\/)/, (drive) => drive.toUpperCase());
  return inOrder(path);
}

const MOST_REMEMBERED = 2000;
const LONGEST_REMEMBERED = 500;
const remembered = new Map<string, string>();

/** The same for members that hold an address instead of a path; reports name the same few again and again. */
export function pathOfUri(uri: string): string {
  const known = remembered.get(uri);
  if (known !== undefined) return known;
  const path = normalisePath(/^file:/i.test(uri) ? uri : decoded(uri));
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  if (uri.length <= LONGEST_REMEMBERED) remembered.set(uri, path);
  return path;
}

function decoded(uri: string): string {
  if (!uri.includes('%')) return uri;
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

function inOrder(path: string): string {
  if (!/(^|\/)(\.{0,2}|)(\/|$)/.test(path.slice(path.startsWith('/') ? 1 : 0))) return path;
  const root = /^([A-Z]:)?\//.exec(path)?.[0] ?? '';
  const names: string[] = [];
  for (const name of path.slice(root.length).split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop();
    else if (name !== '..' || root === '') names.push(name);
  }
  return root + names.join('/');
}

export const isAbsolute = (path: string): boolean => /^([A-Z]:)?\//.test(path);

/** Whether it leads out of the repository; such a path is kept as data, and never opened. */
export const isOutside = (path: string): boolean => path === '..' || path.startsWith('../');

/** Whether nothing is odd about it, so that no warning speaks of it. */
export const isRepositoryPath = (path: string): boolean => path !== '' && !isAbsolute(path) && !isOutside(path);

/** Where well-known runners check a repository out; each matches up to and with the slash after the root. */
const RUNNER_ROOTS = [
  /^\/home\/runner\/work\/([^/]+)\/\1\//,
  /^\/__w\/([^/]+)\/\1\//,
  /^\/github\/workspace\//,
  /^[A-Z]:\/a\/([^/]+)\/\1\//,
  /^\/(home\/vsts\/work|__w)\/\d+\/s\//,
  /^[A-Z]:\/a\/\d+\/s\//,
  /^\/builds\/[^/]+\/[^/]+\//,
  /^\/opt\/atlassian\/pipelines\/agent\/build\//,
  /^\/(home\/circleci|root)\/project\//,
  /^\/var\/(lib\/)?jenkins(_home)?\/workspace\/[^/]+\//,
  /^\/drone\/src\//,
  /^\/(src|repo|workspace|code)\/(?=.)/,
];

/** Takes the root away: the given one, or else that of a well-known runner, which is the same in every report. */
export function withoutRoot(path: string, root?: string): string {
  if (root !== undefined && root !== '') {
    const prefix = root.endsWith('/') ? root : `${root}/`;
    if (path.startsWith(prefix)) return path.slice(prefix.length);
  }
  if (!isAbsolute(path)) return path;
  const found = RUNNER_ROOTS.map((pattern) => pattern.exec(path)?.[0]).find((match) => match !== undefined);
  return found === undefined ? path : path.slice(found.length);
}

/** Watches the paths of a report, and says at its end what is odd about them. */
export class PathStatistics {
  #absolute = 0;
  #relative = 0;
  #outside = 0;
  #common: string[] | undefined;

  add(path: string): void {
    if (isOutside(path)) this.#outside++;
    if (!isAbsolute(path)) {
      this.#relative++;
      return;
    }
    this.#absolute++;
    const folders = path.split('/').slice(0, -1);
    const common = this.#common ?? folders;
    const end = common.findIndex((name, index) => folders[index] !== name);
    this.#common = end === -1 ? common : common.slice(0, end);
  }

  /** The folder that all absolute paths are in, when there is one below the root. */
  get commonRoot(): string | undefined {
    const root = this.#common?.join('/');
    return root === undefined || root === '' || /^[A-Z]:$/.test(root) ? undefined : root;
  }

  warnings(): string[] {
    const under = this.commonRoot === undefined ? 'different folders' : this.commonRoot;
    const ask = 'Name the root of the checkout, or the same file counts as another one when it moves.';
    const warnings: string[] = [];
    if (this.#absolute > 0 && this.#relative > 0) {
      warnings.push(`${this.#absolute} paths are absolute (${under}) and ${this.#relative} are not. ${ask}`);
    } else if (this.#absolute > 0) {
      warnings.push(`All paths are absolute (${under}). ${ask}`);
    }
    if (this.#outside > 0) warnings.push(`${this.#outside} paths lead out of the repository; they are kept as given.`);
    return warnings;
  }
}
