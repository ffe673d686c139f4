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
const HELD_BYTES = 4 * 2 ** 20;

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
  readonly #memory: AdapterContext['resultCache'];
  #run = 0;
  #state: SarifRun;
  #held: JsonPart[] = [];
  #heldFrom: number | undefined;
  #isHolding = true;
  #coverage: { rulesRun: string[]; pathsSearched: string[]; rulesFailed: string[]; pathsFailed: string[] } =
    noCoverage();
  #isIncomplete = false;
  #late = 0;
  /** Digest of all rules so far, in order. */
  #trail = '';
  /** Digest of everything that affects how results are read, once computed. */
  #under: Buffer | undefined;

  constructor({ secretRules, resultCache }: AdapterContext) {
    this.#secretRules = secretRules;
    this.#memory = resultCache;
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

  *#takeRule(value: LooseObject, isOfDriver: boolean): Iterable<ReportItem> {
    const rule = sarifRule(value);
    this.#learn(rule, isOfDriver);
    if (!rule) {
      // The index must be kept, because results refer to rules by index.
      if (isOfDriver) this.#state.ruleIds.push('');
      return;
    }
    this.#state.rules.set(rule.rule.id, rule);
    if (isOfDriver) this.#state.ruleIds.push(rule.rule.id);
    this.#coverage.rulesRun.push(rule.rule.id);
    const isTooLate = rule.rule.product === 'secrets' && this.#state.rulesReadAsCode.has(rule.rule.id);
    if (isTooLate) this.#late++;
    yield { kind: 'rule', ...rule.rule, ...(isTooLate && { isLateSecretRule: isTooLate }), run: this.#run };
  }

  *#takeResult(part: JsonPart): Iterable<ReportItem> {
    if (!this.#isHolding) {
      yield* this.#result(part);
      return;
    }
    this.#heldFrom ??= part.offset;
    this.#held.push(part);
    if (part.offset - this.#heldFrom > HELD_BYTES) yield* this.#release();
  }

  *#release(): Iterable<ReportItem> {
    this.#isHolding = false;
    for (const part of this.#held) yield* this.#result(part);
    this.#held = [];
  }

  /** A result that was read before with the same rules is not parsed again. */
  *#result({ path, bytes = Buffer.alloc(0), offset }: JsonPart): Iterable<ReportItem> {
    const name = this.#memory?.keyOf(this.#readUnder(this.#memory), bytes);
    const repeated = name && this.#memory?.find(name);
    if (repeated) {
      yield { kind: 'repeated', ...repeated };
      return;
    }
    this.#state.hasIndexReference = false;
    for (const item of sarifResult(object(parseJsonPart({ path, bytes, offset })), this.#state, this.#run)) {
      if (name && item.kind === 'finding' && !this.#state.hasIndexReference) item.name = name;
      yield item;
    }
  }

  #readUnder(memory: ResultCache): Buffer {
    this.#under ??= memory.contextDigest('sarif', `${this.#run}`, `${this.#state.isSecretsTool}`, this.#trail);
    return this.#under;
  }

  /** Adds the properties of a rule that affect how results are read. */
  #learn(rule: SarifRule | undefined, isOfDriver: boolean): void {
    if (!this.#memory) return;
    const { id = '', product = '', title = '' } = rule?.rule ?? {};
    const facts = [this.#trail, id, product, title, rule?.scored ?? '', `${isOfDriver}`];
    this.#trail = this.#memory.contextDigest(...facts).toString('hex');
    this.#under = undefined;
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
      this.#under = undefined;
    } else if (path.endsWith('.semanticVersion')) this.#state.version = value;
    else this.#state.version ??= value;
  }

  /** Like rules, the name of a secrets tool may follow the results. */
  *#tellLate(): Iterable<ReportItem> {
    if (!this.#state.isSecretsTool) return;
    for (const id of this.#state.rulesReadAsCode) {
      this.#late++;
      const rule = this.#state.rules.get(id)?.rule ?? { id };
      yield { kind: 'rule', ...rule, product: 'secrets', isLateSecretRule: true, run: this.#run };
    }
  }

  *#endRun(): Iterable<ReportItem> {
    yield* this.#release();
    yield* this.#tellLate();
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
    if (this.#late > 0) {
      const message = `${this.#late} rules that find secrets come after the results; their results were read as code.`;
      yield { kind: 'warning', message };
    }
    this.#run++;
    this.#state = newRun(this.#secretRules);
    this.#coverage = noCoverage();
    this.#heldFrom = undefined;
    this.#isHolding = true;
    this.#isIncomplete = false;
    this.#late = 0;
    this.#trail = '';
    this.#under = undefined;
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
