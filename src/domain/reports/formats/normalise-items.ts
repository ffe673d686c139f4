import { PathStatistics, withoutRoot } from '../identity/report-paths.ts';
import type { ReportItem, TraceStep } from '../report-items.ts';

const MOST_WARNINGS = 100;
/** Stands for paths that nothing is odd about: results with others are read each time. */
const REPEATED_PATH = 'any';

/** What is done to all items alike: the root is taken off their paths, and each warning is told once, at the end. */
export class ItemNormaliser {
  readonly #root: string | undefined;
  readonly #census = new PathStatistics();
  readonly #warnings = new Map<string, number>();
  #untold = 0;

  constructor(root: string | undefined) {
    this.#root = root;
  }

  *items(items: Iterable<ReportItem>): Iterable<ReportItem> {
    for (const item of items) {
      if (item.kind === 'warning') this.#warn(item.message);
      else if (item.kind === 'coverage') yield this.#coverage(item);
      else if (item.kind === 'finding') yield this.#placed(named(item));
      else if (item.kind === 'dependency') yield this.#placed(item);
      else {
        if (item.kind === 'repeated') this.#census.add(REPEATED_PATH);
        yield item;
      }
    }
  }

  *warnings(): Iterable<ReportItem> {
    for (const message of this.#census.warnings()) yield { kind: 'warning', message };
    for (const [message, count] of this.#warnings) {
      yield { kind: 'warning', message: count === 1 ? message : `${message} (${count} times)` };
    }
    if (this.#untold > 0) yield { kind: 'warning', message: `There are ${this.#untold} more warnings.` };
  }

  #warn(message: string): void {
    const count = this.#warnings.get(message) ?? 0;
    if (count === 0 && this.#warnings.size >= MOST_WARNINGS) this.#untold++;
    else this.#warnings.set(message, count + 1);
  }

  #placed(item: Extract<ReportItem, { kind: 'finding' | 'dependency' }>): ReportItem {
    const path = withoutRoot(item.path, this.#root);
    if (path !== '') this.#census.add(path);
    if (item.kind === 'finding' && Array.isArray(item.trace)) this.#placeTrace(item.trace);
    // In place, because nobody else has it and copies of all items cost as much as reading them.
    item.path = path;
    return item;
  }

  /** Lists are ours; Semgrep's own trace is an object with relative paths. */
  #placeTrace(flows: TraceStep[][]): void {
    for (const flow of flows) for (const step of flow) step.path = withoutRoot(step.path, this.#root);
  }

  #coverage(item: Extract<ReportItem, { kind: 'coverage' }>): ReportItem {
    const { pathsSearched, pathsFailed } = item;
    const placed = (paths: string[]) => paths.map((path) => withoutRoot(path, this.#root));
    return {
      ...item,
      ...(pathsSearched ? { pathsSearched: placed(pathsSearched) } : {}),
      ...(pathsFailed ? { pathsFailed: placed(pathsFailed) } : {}),
    };
  }
}

/** Some tools leave the rule or the message of a result empty; a result is not lost for that. */
function named(item: Extract<ReportItem, { kind: 'finding' }>): Extract<ReportItem, { kind: 'finding' }> {
  if (item.rule !== '' && item.message !== '') return item;
  const rule = item.rule || 'unnamed';
  return { ...item, rule, message: item.message || item.title || rule };
}
