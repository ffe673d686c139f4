import type { AdapterContext, JsonAdapter } from '../adapter.ts';
import type { JsonPart } from '../json-scanner.ts';
import { pathOfUri } from '../paths.ts';
import { addAll, type Loose, list, object, objects, present, text, texts } from '../reading.ts';
import type { Reported } from '../reported.ts';
import { type SarifRun, sarifResult } from './sarif-result.ts';
import { isSecretsTool, sarifRule } from './sarif-rule.ts';

/** Results are held back until the run's rules are known, but no more than this many bytes of them. */
const HELD_BYTES = 4 * 2 ** 20;

const RULES = ['runs[].tool.driver.rules[]', 'runs[].tool.extensions[].rules[]'];

/** SARIF 2.1.0 as tools really write it: members in any order, and most of them missing. */
export function sarif({ secretRules }: AdapterContext): JsonAdapter {
  const reader = new SarifReader(secretRules);
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
      'runs[].results[]',
      'runs[]$',
    ],
    take: (part) => reader.take(part),
  };
}

class SarifReader {
  readonly #secretRules: ReadonlySet<string>;
  #run = 0;
  #state: SarifRun;
  #held: { result: Loose; offset: number }[] = [];
  #heldFrom: number | undefined;
  #isHolding = true;
  #coverage: { rulesRun: string[]; pathsSearched: string[]; rulesFailed: string[]; pathsFailed: string[] } =
    noCoverage();
  #isIncomplete = false;
  #late = 0;

  constructor(secretRules: ReadonlySet<string>) {
    this.#secretRules = secretRules;
    this.#state = newRun(secretRules);
  }

  *take({ path, value, offset }: JsonPart): Iterable<Reported> {
    if (RULES.includes(path)) yield* this.#takeRule(object(value), path === RULES[0]);
    else if (path === 'runs[].results[]') yield* this.#takeResult(object(value), offset);
    else if (path === 'runs[].artifacts[]') this.#takeArtifact(object(value));
    else if (path === 'runs[].invocations[]') this.#takeInvocation(object(value));
    else if (path === 'runs[].automationDetails') this.#state.category = categoryOf(text(object(value)['id']));
    else if (path === 'runs[]$') yield* this.#endRun();
    else this.#takeDriver(path, text(value));
  }

  *#takeRule(value: Loose, isOfDriver: boolean): Iterable<Reported> {
    const rule = sarifRule(value);
    if (!rule) {
      // Its place must stay, because results name rules by their place.
      if (isOfDriver) this.#state.ruleIds.push('');
      return;
    }
    this.#state.rules.set(rule.rule.id, rule);
    if (isOfDriver) this.#state.ruleIds.push(rule.rule.id);
    this.#coverage.rulesRun.push(rule.rule.id);
    const isTooLate = rule.rule.product === 'secrets' && this.#state.readAsCode.has(rule.rule.id);
    if (isTooLate) this.#late++;
    yield { kind: 'rule', ...rule.rule, ...(isTooLate && { isTooLate }), run: this.#run };
  }

  *#takeResult(result: Loose, offset: number): Iterable<Reported> {
    if (!this.#isHolding) {
      yield* sarifResult(result, this.#state, this.#run);
      return;
    }
    this.#heldFrom ??= offset;
    this.#held.push({ result, offset });
    if (offset - this.#heldFrom > HELD_BYTES) yield* this.#release();
  }

  *#release(): Iterable<Reported> {
    this.#isHolding = false;
    for (const { result } of this.#held) yield* sarifResult(result, this.#state, this.#run);
    this.#held = [];
  }

  #takeArtifact(value: Loose): void {
    const uri = text(object(value['location'])['uri']);
    const path = uri === undefined ? '' : pathOfUri(uri);
    this.#state.artifacts.push(path);
    if (path !== '') this.#coverage.pathsSearched.push(path);
  }

  #takeInvocation(value: Loose): void {
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
    } else if (path.endsWith('.semanticVersion')) this.#state.version = value;
    else this.#state.version ??= value;
  }

  /** The name of a tool for secrets may come after results, as rules may. */
  *#tellLate(): Iterable<Reported> {
    if (!this.#state.isSecretsTool) return;
    for (const id of this.#state.readAsCode) {
      this.#late++;
      const rule = this.#state.rules.get(id)?.rule ?? { id };
      yield { kind: 'rule', ...rule, product: 'secrets', isTooLate: true, run: this.#run };
    }
  }

  *#endRun(): Iterable<Reported> {
    yield* this.#release();
    yield* this.#tellLate();
    const { tool, version, category } = this.#state;
    yield { kind: 'tool', ...present({ name: tool ?? 'unknown', version, category }), run: this.#run };
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
  }
}

const newRun = (secretRules: ReadonlySet<string>): SarifRun => ({
  tool: undefined,
  version: undefined,
  category: undefined,
  isSecretsTool: false,
  secretRules,
  readAsCode: new Set(),
  rules: new Map(),
  ruleIds: [],
  artifacts: [],
});

const noCoverage = () => ({ rulesRun: [], pathsSearched: [], rulesFailed: [], pathsFailed: [] });

/** `category/run` names a category and one run of it; without a slash all of it names the run. */
function categoryOf(id: string | undefined): string | undefined {
  const slash = id?.lastIndexOf('/') ?? -1;
  return slash > 0 ? id?.slice(0, slash) : undefined;
}
