import { hash } from 'node:crypto';
import { PathStatistics, withoutRoot } from '../identity/report-paths.ts';
import type { ReportItem, TraceStep } from '../report-items.ts';
import { shortenTexts } from './shorten-texts.ts';

const MAX_WARNINGS = 100;
const SHORTENED = 'A result, rule or dependency has very long texts; they were shortened.';
/** Represents any repository path: results with other paths are never cached. */
const CACHED_PATH = 'any';

/** Common processing of all items: strips the checkout root from paths, and merges warnings at the end. */
export class ItemNormaliser {
  readonly #root: string | undefined;
  readonly #paths = new PathStatistics();
  readonly #warnings = new Map<string, number>();
  readonly #places = new Set<string>();
  #suppressedCount = 0;
  /** The last finding is one that was reported before, so that what follows it is not about the one before it. */
  #isRepeated = false;

  constructor(root: string | undefined) {
    this.#root = root;
  }

  *items(items: Iterable<ReportItem>): Iterable<ReportItem> {
    for (const item of items) {
      if (item.kind === 'warning') this.#warn(item.message);
      else if (item.kind === 'coverage') yield this.#coverage(item);
      else if (item.kind === 'finding' && item.place !== undefined) yield* this.#first(this.#shorten(withNames(item)));
      else if (item.kind === 'finding') {
        this.#isRepeated = false;
        yield this.#normalise(this.#shorten(withNames(item)));
      } else if (item.kind === 'decision' && item.source === 'sarif' && this.#isRepeated) continue;
      else if (item.kind === 'dependency') yield this.#normalise(this.#shorten(item));
      else if (item.kind === 'rule' || item.kind === 'decision') yield this.#shorten(item);
      else {
        if (item.kind === 'cached') {
          this.#paths.add(CACHED_PATH);
          this.#isRepeated = false;
        }
        yield item;
      }
    }
  }

  *warnings(): Iterable<ReportItem> {
    for (const message of this.#paths.warnings()) yield { kind: 'warning', message };
    for (const [message, count] of this.#warnings) {
      yield { kind: 'warning', message: count === 1 ? message : `${message} (${count} times)` };
    }
    if (this.#suppressedCount > 0)
      yield { kind: 'warning', message: `There are ${this.#suppressedCount} more warnings.` };
  }

  /** Results of one rule in one place are one: scanners report every request, and no line tells them apart. */
  *#first(item: Extract<ReportItem, { kind: 'finding' }>): Iterable<ReportItem> {
    const id = hash('sha256', `${item.rule}\0${item.path}\0${item.scope ?? ''}`, 'base64url').slice(0, 22);
    this.#isRepeated = this.#places.has(id);
    if (this.#isRepeated) return;
    this.#places.add(id);
    yield item;
  }

  #shorten<Item extends Parameters<typeof shortenTexts>[0]>(item: Item): Item {
    if (shortenTexts(item)) this.#warn(SHORTENED);
    return item;
  }

  #warn(message: string): void {
    const count = this.#warnings.get(message) ?? 0;
    if (count === 0 && this.#warnings.size >= MAX_WARNINGS) this.#suppressedCount++;
    else this.#warnings.set(message, count + 1);
  }

  #normalise(item: Extract<ReportItem, { kind: 'finding' | 'dependency' }>): ReportItem {
    const path = withoutRoot(item.path, this.#root);
    if (path !== '') this.#paths.add(path);
    if (item.kind === 'finding' && Array.isArray(item.trace)) this.#normaliseTrace(item.trace);
    // Modified in place, because copying every item costs as much as parsing it.
    item.path = path;
    return item;
  }

  /** Arrays are our own format; Semgrep's trace is an object with relative paths. */
  #normaliseTrace(flows: TraceStep[][]): void {
    for (const flow of flows) for (const step of flow) step.path = withoutRoot(step.path, this.#root);
  }

  #coverage(item: Extract<ReportItem, { kind: 'coverage' }>): ReportItem {
    const { pathsSearched, pathsFailed } = item;
    const stripped = (paths: string[]) => paths.map((path) => withoutRoot(path, this.#root));
    return {
      ...item,
      ...(pathsSearched ? { pathsSearched: stripped(pathsSearched) } : {}),
      ...(pathsFailed ? { pathsFailed: stripped(pathsFailed) } : {}),
    };
  }
}

/** Some tools leave the rule, the message or the kind of secret of a result empty; the result is kept. */
function withNames(item: Extract<ReportItem, { kind: 'finding' }>): Extract<ReportItem, { kind: 'finding' }> {
  if (item.rule !== '' && item.message !== '' && item.secret?.type !== '') return item;
  const rule = item.rule || 'unnamed';
  return {
    ...item,
    rule,
    message: item.message || item.title || rule,
    ...(item.secret && { secret: { ...item.secret, type: item.secret.type || rule } }),
  };
}
