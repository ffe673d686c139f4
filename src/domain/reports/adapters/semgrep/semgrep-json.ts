import { isAbsolute, normalisePath } from '../../identity/report-paths.ts';
import { matchedCode, syntacticId } from '../../identity/semgrep-ids.ts';
import { usableId, withoutOrdinal } from '../../identity/tool-ids.ts';
import type { JsonPart } from '../../json/json-scanner.ts';
import {
  addAll,
  type LooseObject,
  nonEmptyObject,
  object,
  position,
  text,
  texts,
  withoutUndefined,
} from '../../json/loose-values.ts';
import type { ReportedFinding, ReportItem } from '../../report-items.ts';
import type { JsonAdapter } from '../adapter.ts';
import { matchIn, withoutSecret } from '../mask-secrets.ts';
import { semgrepRuleFacts, semgrepSca, semgrepSeverity, validationOf } from './semgrep-facts.ts';

/** `semgrep scan --json`. */
export function semgrepJson(): JsonAdapter {
  const reader = new SemgrepReader();
  return {
    required: ['results$'],
    paths: ['version', 'results[]', 'errors[]', 'paths.scanned[]', 'engine_requested'],
    take: (part) => reader.take(part),
    finish: () => reader.finish(),
  };
}

class SemgrepReader {
  #version: string | undefined;
  readonly #scanned: string[] = [];
  readonly #pathsFailed = new Set<string>();
  readonly #rulesFailed = new Set<string>();
  readonly #matchCounts = new Map<string, number>();

  *take({ path, value }: JsonPart): Iterable<ReportItem> {
    if (path === 'results[]') yield* this.#takeResult(object(value));
    else if (path === 'errors[]') this.#takeError(object(value));
    else if (path === 'paths.scanned[]') addAll(this.#scanned, texts(value).map(normalisePath));
    else if (path === 'version') this.#version = text(value);
  }

  *finish(): Iterable<ReportItem> {
    yield { kind: 'tool', name: 'Semgrep', ...withoutUndefined({ version: this.#version }) };
    const pathsFailed = this.#pathsFailed.size > 0 ? [...this.#pathsFailed] : undefined;
    const rulesFailed = this.#rulesFailed.size > 0 ? [...this.#rulesFailed] : undefined;
    const pathsSearched = this.#scanned.length > 0 ? this.#scanned : undefined;
    if (!pathsFailed && !rulesFailed && !pathsSearched) return;
    yield { kind: 'coverage', ...withoutUndefined({ pathsSearched, pathsFailed, rulesFailed }) };
  }

  *#takeResult(result: LooseObject): Iterable<ReportItem> {
    const rule = text(result['check_id']);
    const path = text(result['path']);
    if (rule === undefined || path === undefined) {
      yield { kind: 'warning', message: 'A result has no check_id or no path; it was left out.' };
      return;
    }
    yield { kind: 'finding', ...withoutSecret(this.#finding(result, rule, normalisePath(path))) };
  }

  #finding(result: LooseObject, rule: string, path: string): ReportedFinding {
    const extra = object(result['extra']);
    const metadata = object(extra['metadata']);
    const [start, end] = [object(result['start']), object(result['end'])];
    const region = {
      line: position(start['line']),
      column: position(start['col']),
      endLine: position(end['line']),
      endColumn: position(end['col']),
    };
    const id = usableId(text(extra['fingerprint']));
    const code = usableId(text(extra['lines']));
    const sca = semgrepSca(object(extra['sca_info']), metadata);
    const isSecret = text(metadata['product']) === 'secrets' || text(metadata['category']) === 'secrets';
    const product = sca ? 'sca' : isSecret ? 'secrets' : 'sast';
    const value = isSecret && code !== undefined ? matchIn(code, region.column, region.endColumn) : undefined;
    const validation = validationOf(extra['validation_state']);
    return withoutUndefined({
      product: product as ReportedFinding['product'],
      rule,
      path,
      region,
      message: text(extra['message']) ?? rule,
      severity: semgrepSeverity(extra['severity']),
      ...semgrepRuleFacts(metadata),
      code,
      fingerprints: id === undefined ? {} : { 'matchBasedId/v1': withoutOrdinal(id) },
      matchBasedId: id,
      syntacticId: isSecret ? undefined : this.#syntacticId(rule, path, code),
      fix: text(extra['fix']),
      trace: nonEmptyObject(extra['dataflow_trace']),
      metadata: nonEmptyObject(metadata),
      isIgnoredInCode: extra['is_ignored'] === true ? true : undefined,
      sca,
      secret: isSecret
        ? withoutUndefined({ type: text(metadata['secret_type']) ?? rule, value, validation })
        : undefined,
    });
  }

  /**
   * The JSON has no syntactic id. It includes the path, so that it can be computed only for paths relative to the
   * repository.
   */
  #syntacticId(rule: string, path: string, code: string | undefined): string | undefined {
    if (code === undefined || isAbsolute(path)) return undefined;
    const match = { rule, path, context: matchedCode(code) };
    const first = syntacticId({ ...match, index: 0 });
    const index = this.#matchCounts.get(first) ?? 0;
    this.#matchCounts.set(first, index + 1);
    return index === 0 ? first : syntacticId({ ...match, index });
  }

  #takeError(error: LooseObject): void {
    if (text(error['level']) !== 'error' && text(error['level']) !== 'warn') return;
    const path = text(error['path']);
    const rule = text(error['rule_id']);
    // An error with a path means that the file failed; without a path the rule failed everywhere.
    if (path !== undefined) this.#pathsFailed.add(normalisePath(path));
    else if (rule !== undefined) this.#rulesFailed.add(rule);
  }
}
