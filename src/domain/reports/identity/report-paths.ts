/** A path of a report in git's form: POSIX, without `file://`, `./` and repeated slashes. */
export function normalisePath(given: string): string {
  let path = given;
  if (/^file:/i.test(path)) path = decoded(path.replace(/^file:(\/\/[^/]*)?/i, ''));
  if (/^[a-z]:[\\/]/i.test(path) || (path.includes('\\') && !path.includes('/'))) path = path.replaceAll('\\', '/');
  path = path.replace(/^\/(?=[a-z]:\/)/i, '').replace(/^[a-z]:(?=\/)/, (drive) => drive.toUpperCase());
  return resolveDots(path);
}

const MAX_CACHED_PATHS = 2000;
const MAX_CACHED_LENGTH = 500;
const pathsByUri = new Map<string, string>();

/** The same for members that are URIs; cached, because results share few paths. */
export function pathOfUri(uri: string): string {
  const cached = pathsByUri.get(uri);
  if (cached !== undefined) return cached;
  const path = normalisePath(/^file:/i.test(uri) ? uri : decoded(uri));
  if (pathsByUri.size >= MAX_CACHED_PATHS) pathsByUri.clear();
  if (uri.length <= MAX_CACHED_LENGTH) pathsByUri.set(uri, path);
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

function resolveDots(path: string): string {
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

/** True if it leads out of the repository; such a path is stored as data and never opened. */
export const isOutside = (path: string): boolean => path === '..' || path.startsWith('../');

/** True for a path inside of the repository, which needs no warning. */
export const isRepositoryPath = (path: string): boolean => path !== '' && !isAbsolute(path) && !isOutside(path);

/** Checkout directories of well-known CI runners, each up to and including the slash. */
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

/** Strips the given root, or else that of a well-known CI runner, which is the same in every report. */
export function withoutRoot(path: string, root?: string): string {
  if (root !== undefined && root !== '') {
    const prefix = root.endsWith('/') ? root : `${root}/`;
    if (path.startsWith(prefix)) return path.slice(prefix.length);
  }
  if (!isAbsolute(path)) return path;
  const found = RUNNER_ROOTS.map((pattern) => pattern.exec(path)?.[0]).find((match) => match !== undefined);
  return found === undefined ? path : path.slice(found.length);
}

/** Collects the paths of a report, and produces warnings about unusual ones. */
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

  /** The common directory of all absolute paths, if there is one below the root. */
  get commonRoot(): string | undefined {
    const root = this.#common?.join('/');
    return root === undefined || root === '' || /^[A-Z]:$/.test(root) ? undefined : root;
  }

  warnings(): string[] {
    const under = this.commonRoot === undefined ? 'different folders' : this.commonRoot;
    const advice = 'Specify the checkout root; otherwise a file counts as another one when the checkout moves.';
    const warnings: string[] = [];
    if (this.#absolute > 0 && this.#relative > 0) {
      warnings.push(`${this.#absolute} paths are absolute (${under}) and ${this.#relative} are not. ${advice}`);
    } else if (this.#absolute > 0) {
      warnings.push(`All paths are absolute (${under}). ${advice}`);
    }
    if (this.#outside > 0)
      warnings.push(`${this.#outside} paths lead out of the repository; they are stored as given.`);
    return warnings;
  }
}
