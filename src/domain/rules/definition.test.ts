import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { MAX_RULE_BYTES, parseDefinition } from './definition.ts';

const RULE = { id: 'own.no-eval', message: 'Do not.', severity: 'ERROR', languages: ['python'], pattern: 'eval(...)' };
const reasons = (definition: unknown) =>
  parseDefinition(definition).errors?.map(({ pointer, code }) => `${pointer} ${code}`) ?? [];
const withRule = (change: Record<string, unknown>) => reasons({ rules: [{ ...RULE, ...change }] });

describe('a definition', () => {
  test('of one complete rule is parsed unchanged', () => {
    assert.deepEqual(parseDefinition({ rules: [RULE] }), { rule: RULE });
  });

  test('has exactly one rule', () => {
    assert.deepEqual(reasons({ rules: [] }), ['#/rules ONE_RULE']);
    assert.deepEqual(reasons({ rules: [RULE, RULE] }), ['#/rules ONE_RULE']);
    for (const wrong of [{}, null, 'rules: []', [], { rules: {} }])
      assert.deepEqual(reasons(wrong), ['#/rules REQUIRED']);
    assert.deepEqual(reasons({ rules: ['x'] }), ['#/rules/0 TYPE']);
  });

  test('has an id of allowed characters without the reserved prefix', () => {
    for (const id of ['', 'a b', '../x', '.x', 'a/b', 'ä', 'a'.repeat(201), 7, undefined])
      assert.deepEqual(withRule({ id }), ['#/rules/0/id RULE_ID']);
    assert.deepEqual(withRule({ id: 'parapet.python.x' }), ['#/rules/0/id RESERVED']);
    assert.deepEqual(withRule({ id: 'a'.repeat(200) }), []);
  });

  test('has only values that the engine knows, and all errors are reported at once', () => {
    assert.deepEqual(withRule({ severity: 'BAD', languages: ['python', 'klingon'], message: ' ', metadata: [] }), [
      '#/rules/0/message REQUIRED',
      '#/rules/0/severity UNKNOWN_WORD',
      '#/rules/0/languages/1 UNKNOWN_WORD',
      '#/rules/0/metadata TYPE',
    ]);
    for (const languages of [[], 'python', undefined])
      assert.deepEqual(withRule({ languages }), ['#/rules/0/languages REQUIRED']);
    assert.deepEqual(withRule({ mode: 'constructor' }), ['#/rules/0/mode UNKNOWN_WORD']);
  });

  test('has a pattern', () => {
    assert.deepEqual(withRule({ pattern: undefined }), ['#/rules/0 NO_PATTERN']);
    assert.deepEqual(withRule({ mode: 'taint' }), ['#/rules/0 NO_PATTERN']);
    assert.deepEqual(withRule({ mode: 'taint', 'pattern-sources': [{}] }), ['#/rules/0 NO_PATTERN']);
    assert.deepEqual(withRule({ mode: 'taint', 'pattern-sources': [{}], 'pattern-sinks': [{}] }), []);
    assert.deepEqual(withRule({ pattern: undefined, 'r2c-internal-project-depends-on': {} }), []);
  });

  test('is refused if it is too large, too deep or cannot be stored', () => {
    assert.deepEqual(withRule({ message: 'x'.repeat(MAX_RULE_BYTES) }), ['# TOO_LARGE']);
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    assert.deepEqual(withRule({ patterns: deep }), ['# TOO_DEEP']);
    assert.deepEqual(withRule({ patterns: new Array(60_000).fill({}) }), ['# TOO_LARGE']);
    assert.deepEqual(withRule({ message: 'a\0b' }), ['# TEXT']);
    assert.deepEqual(withRule({ metadata: { 'a\ud800': 1 } }), ['# TEXT']);
    // The server reads integers beyond the doubles as bigints, which no JSON can be made of.
    assert.deepEqual(withRule({ metadata: { large: 9_007_199_254_740_993n } }), ['# NUMBER']);
  });

  test('is parsed without running its regular expressions, even catastrophic ones', () => {
    assert.deepEqual(withRule({ pattern: undefined, 'pattern-regex': '(a+)+$' }), []);
  });

  test('of any content is parsed or refused without throwing', () => {
    fc.assert(fc.property(fc.anything({ maxDepth: 4 }), (any) => Boolean(parseDefinition(any))));
    fc.assert(
      fc.property(
        fc.record({ rules: fc.tuple(fc.dictionary(fc.constantFrom(...Object.keys(RULE)), fc.jsonValue())) }),
        (any) => Boolean(parseDefinition(any)),
      ),
    );
  });
});
