import { pathOfUri } from '../../identity/report-paths.ts';
import type { ResultCache } from '../../identity/result-cache.ts';
import { type JsonPart, parseJsonPart } from '../../json/json-scanner.ts';
import {
  addAll,
  type LooseObject,
  list,
  object,
  objects,
  text,
  texts,
  withoutUndefined,
} from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { AdapterContext, JsonAdapter } from '../adapter.ts';
import { type SarifRun, sarifResult } from './sarif-result.ts';
import { isSecretsTool, type SarifRule, sarifRule } from './sarif-rule.ts';

/** Results are buffered until the run's rules are known, but no more than this many bytes of them. */
const MAX_BUFFERED_BYTES = 4 * 2 ** 20;

const RESULTS = 'runs[].results[]';
const RULES = ['runs[].tool.driver.rules[]', 'runs[].tool.extensions[].rules[]'];

/** SARIF 2.1.0 as tools write it in practice: members in any order, and many of them missing. */
export function sarif(context: AdapterContext): JsonAdapter {
  const reader = new SarifReader(context);
  return {
    required: ['runs$'],
    paths: [
      ...RULES,
      'runs[].tool.driver.name',
      'runs[].tool.driver.version',
      'runs[].tool.driver.semanticVersion',
      'runs[].automationDetails',
      'runs[].invocations[]',
      'runs[].artifacts[]',
      RESULTS,
      'runs[]$',
    ],
    unread: [RESULTS],
    take: (part) => reader.take(part),
  };
}

class SarifReader {
  readonly #secretRules: ReadonlySet<string>;
  readonly #cache: AdapterContext['resultCache'];
  #run = 0;
  #state: SarifRun;
  #buffer: JsonPart[] = [];
  #bufferStart: number | undefined;
  #isBuffering = true;
  #coverage: { rulesRun: string[]; pathsSearched: string[]; rulesFailed: string[]; pathsFailed: string[] } =
    noCoverage();
  #isIncomplete = false;
  #lateRuleCount = 0;
  /** Digest of all rules so far, in order. */
  #rulesDigest = '';
  /** Digest of everything that affects how results are read, once computed. */
  #contextDigest: Buffer | undefined;

  constructor({ secretRules, resultCache }: AdapterContext) {
    this.#secretRules = secretRules;
    this.#cache = resultCache;
    this.#state = newRun(secretRules);
  }

  *take(part: JsonPart): Iterable<ReportItem> {
    const { path, value } = part;
    if (path === RESULTS) yield* this.#takeResult(part);
    else if (RULES.includes(path)) yield* this.#takeRule(object(value), path === RULES[0]);
    else if (path === 'runs[].artifacts[]') this.#takeArtifact(object(value));
    else if (path === 'runs[].invocations[]') this.#takeInvocation(object(value));
    else if (path === 'runs[].automationDetails') this.#state.category = categoryOf(text(object(value)['id']));
    else if (path === 'runs[]$') yield* this.#endRun();
    else this.#takeDriver(path, text(value));
  }

  *#takeRule(value: LooseObject, isDriverRule: boolean): Iterable<ReportItem> {
    const rule = sarifRule(value);
    this.#addToContext(rule, isDriverRule);
    if (!rule) {
      // The index must be kept, because results refer to rules by index.
      if (isDriverRule) this.#state.ruleIds.push('');
      return;
    }
    this.#state.rules.set(rule.rule.id, rule);
    if (isDriverRule) this.#state.ruleIds.push(rule.rule.id);
    this.#coverage.rulesRun.push(rule.rule.id);
    const isLateSecretRule = rule.rule.product === 'secrets' && this.#state.rulesReadAsCode.has(rule.rule.id);
    if (isLateSecretRule) this.#lateRuleCount++;
    yield { kind: 'rule', ...rule.rule, ...(isLateSecretRule && { isLateSecretRule }), run: this.#run };
  }

  *#takeResult(part: JsonPart): Iterable<ReportItem> {
    if (!this.#isBuffering) {
      yield* this.#readResult(part);
      return;
    }
    this.#bufferStart ??= part.offset;
    this.#buffer.push(part);
    if (part.offset - this.#bufferStart > MAX_BUFFERED_BYTES) yield* this.#flush();
  }

  *#flush(): Iterable<ReportItem> {
    this.#isBuffering = false;
    for (const part of this.#buffer) yield* this.#readResult(part);
    this.#buffer = [];
  }

  /** A result that was read before with the same rules is not parsed again, unless it causes a warning. */
  *#readResult({ path, bytes = Buffer.alloc(0), offset }: JsonPart): Iterable<ReportItem> {
    const cacheKey = this.#cache?.keyOf(this.#context(this.#cache), bytes);
    const cached = cacheKey && this.#cache?.find(cacheKey);
    if (cached) {
      yield { kind: 'cached', ...cached };
      return;
    }
    this.#state.hasIndexReference = false;
    let hasWarning = false;
    for (const item of sarifResult(object(parseJsonPart({ path, bytes, offset })), this.#state, this.#run)) {
      hasWarning ||= item.kind === 'warning';
      // Results of one place are one; which of them is read depends on those before it.
      const isOfPlace = item.kind === 'finding' && item.place !== undefined;
      const canCache = !hasWarning && !this.#state.hasIndexReference && !isOfPlace;
      if (cacheKey && item.kind === 'finding' && canCache) item.cacheKey = cacheKey;
      yield item;
    }
  }

  #context(cache: ResultCache): Buffer {
    this.#contextDigest ??= cache.contextDigest(
      'sarif',
      `${this.#run}`,
      `${this.#state.isSecretsTool}`,
      this.#rulesDigest,
    );
    return this.#contextDigest;
  }

  /** Adds the properties of a rule that affect how results are read. */
  #addToContext(rule: SarifRule | undefined, isDriverRule: boolean): void {
    if (!this.#cache) return;
    const { id = '', product = '', title = '' } = rule?.rule ?? {};
    const facts = [this.#rulesDigest, id, product, title, rule?.scored ?? '', `${isDriverRule}`];
    this.#rulesDigest = this.#cache.contextDigest(...facts).toString('hex');
    this.#contextDigest = undefined;
  }

  #takeArtifact(value: LooseObject): void {
    const uri = text(object(value['location'])['uri']);
    const path = uri === undefined ? '' : pathOfUri(uri);
    this.#state.artifacts.push(path);
    if (path !== '') this.#coverage.pathsSearched.push(path);
  }

  #takeInvocation(value: LooseObject): void {
    if (value['executionSuccessful'] === false) this.#isIncomplete = true;
    for (const notice of objects(value['toolExecutionNotifications'])) {
      if (text(notice['level']) !== 'error') continue;
      addAll(this.#coverage.rulesFailed, texts(object(notice['associatedRule'])['id']));
      for (const location of objects(notice['locations'])) {
        const uri = text(object(object(location['physicalLocation'])['artifactLocation'])['uri']);
        if (uri !== undefined) this.#coverage.pathsFailed.push(pathOfUri(uri));
      }
    }
  }

  #takeDriver(path: string, value: string | undefined): void {
    if (value === undefined) return;
    if (path.endsWith('.name')) {
      this.#state.tool = value;
      this.#state.isSecretsTool = isSecretsTool(value);
      this.#contextDigest = undefined;
    } else if (path.endsWith('.semanticVersion')) this.#state.version = value;
    else this.#state.version ??= value;
  }

  /** Like rules, the name of a secrets tool may follow the results. */
  *#reportLateRules(): Iterable<ReportItem> {
    if (!this.#state.isSecretsTool) return;
    for (const id of this.#state.rulesReadAsCode) {
      this.#lateRuleCount++;
      const rule = this.#state.rules.get(id)?.rule ?? { id };
      yield { kind: 'rule', ...rule, product: 'secrets', isLateSecretRule: true, run: this.#run };
    }
  }

  *#endRun(): Iterable<ReportItem> {
    yield* this.#flush();
    yield* this.#reportLateRules();
    const { tool, version, category } = this.#state;
    yield { kind: 'tool', ...withoutUndefined({ name: tool ?? 'unknown', version, category }), run: this.#run };
    const coverage = Object.entries(this.#coverage).filter(([, names]) => list(names).length > 0);
    if (coverage.length > 0 || this.#isIncomplete) {
      yield {
        kind: 'coverage',
        ...Object.fromEntries(coverage.map(([name, names]) => [name, [...new Set(names)]])),
        ...(this.#isIncomplete ? { isIncomplete: true } : {}),
        run: this.#run,
      };
    }
    if (this.#lateRuleCount > 0) {
      const message = `${this.#lateRuleCount} secret rules follow their results, which were read as code.`;
      yield { kind: 'warning', message };
    }
    this.#run++;
    this.#state = newRun(this.#secretRules);
    this.#coverage = noCoverage();
    this.#bufferStart = undefined;
    this.#isBuffering = true;
    this.#isIncomplete = false;
    this.#lateRuleCount = 0;
    this.#rulesDigest = '';
    this.#contextDigest = undefined;
  }
}

const newRun = (secretRules: ReadonlySet<string>): SarifRun => ({
  tool: undefined,
  version: undefined,
  category: undefined,
  isSecretsTool: false,
  secretRules,
  rulesReadAsCode: new Set(),
  rules: new Map(),
  ruleIds: [],
  artifacts: [],
  hasIndexReference: false,
});

const noCoverage = () => ({ rulesRun: [], pathsSearched: [], rulesFailed: [], pathsFailed: [] });

/** `category/run` is a category and one run of it; without a slash it is only a run. */
function categoryOf(id: string | undefined): string | undefined {
  const slash = id?.lastIndexOf('/') ?? -1;
  return slash > 0 ? id?.slice(0, slash) : undefined;
}
