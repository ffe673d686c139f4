import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allowedValuesOf, normalizeFilters, unsatisfiableReason, validateFilters } from './automation-filters.ts';
import { type AutomationCondition, AutomationConditionType, type AutomationFilters } from './shape.ts';

const closedTypes = AutomationConditionType.options.filter((type) => allowedValuesOf(type) !== undefined);
const mode = fc.constantFrom('MODE_ALL', 'MODE_ANY', 'MODE_NONE');

const closedCondition: fc.Arbitrary<AutomationCondition> = fc.constantFrom(...closedTypes).chain((type) =>
  fc.record({
    type: fc.constant(type),
    mode,
    values: fc.uniqueArray(fc.constantFrom(...(allowedValuesOf(type) ?? [])), { minLength: 1 }),
  }),
);
const filters: fc.Arbitrary<AutomationFilters> = fc.record({
  mode: fc.constantFrom('MODE_ALL', 'MODE_ANY'),
  conditions: fc.array(closedCondition, { minLength: 1, maxLength: 4 }),
});

/** Evaluates a condition on a finding that has one value of each type. */
function holds({ type, mode: how, values }: AutomationCondition, finding: ReadonlyMap<string, string>): boolean {
  const value = finding.get(type) ?? '';
  if (how === 'MODE_NONE') return !values.includes(value);
  return how === 'MODE_ALL' ? values.every((one) => one === value) : values.includes(value);
}

/** All findings that differ in the values of the conditions. */
function findings({ conditions }: AutomationFilters): Map<string, string>[] {
  const types = [...new Set(conditions.map(({ type }) => type))];
  return types.reduce<Map<string, string>[]>(
    (made, type) => made.flatMap((one) => (allowedValuesOf(type) ?? []).map((word) => new Map([...one, [type, word]]))),
    [new Map()],
  );
}

test('filters are unsatisfiable exactly if no finding matches them', () => {
  fc.assert(
    fc.property(filters, (one) => {
      const passes = (finding: Map<string, string>) =>
        one.mode === 'MODE_ALL'
          ? one.conditions.every((condition) => holds(condition, finding))
          : one.conditions.some((condition) => holds(condition, finding));
      assert.equal(unsatisfiableReason(one) !== undefined, !findings(one).some(passes));
    }),
    { numRuns: 500 },
  );
});

test('free values never exclude each other, but two projects do', () => {
  const both = (type: AutomationConditionType, values: [string, string]): AutomationFilters => ({
    mode: 'MODE_ALL',
    conditions: values.map((value) => ({ type, mode: 'MODE_ANY', values: [value] })),
  });
  assert.equal(unsatisfiableReason(both('CONDITION_TYPE_PATH', ['src/**', '**/*.ts'])), undefined);
  assert.equal(unsatisfiableReason(both('CONDITION_TYPE_CWE', ['CWE-79', 'CWE-89'])), undefined);
  assert.match(unsatisfiableReason(both('CONDITION_TYPE_REPOSITORY_ID', ['1', '2'])) ?? '', /exclude each other/);
});

const word = fc.oneof(fc.string(), fc.constantFrom('SEVERITY_SEVERITY_LOW', 'severity_High', 'VERDICT_NO_VERDICT'));

test('normalizing filters is idempotent', () => {
  const messy = fc.record({
    mode: fc.constant('MODE_ALL' as const),
    conditions: fc.array(
      fc.record({ type: fc.constantFrom(...AutomationConditionType.options), mode, values: fc.array(word) }),
    ),
  });
  fc.assert(
    fc.property(messy, (one) => {
      const once = normalizeFilters(one);
      assert.deepEqual(normalizeFilters(once), once);
    }),
  );
});

test('every value is accepted in upper case, with and without the prefix of its enum', () => {
  const spelled = (type: AutomationConditionType, ...values: string[]): AutomationFilters =>
    normalizeFilters({ mode: 'MODE_ALL', conditions: [{ type, mode: 'MODE_ANY', values }] });
  for (const type of closedTypes) {
    const words = allowedValuesOf(type) ?? [];
    const { conditions } = spelled(type, ...words.map((word) => ` ${word.toUpperCase()} `));
    assert.deepEqual(conditions[0]?.values, words);
    assert.deepEqual(validateFilters(spelled(type, ...words), '#'), []);
  }
  for (const [type, name, word] of [
    ['CONDITION_TYPE_SEVERITY', 'SEVERITY_HIGH', 'high'],
    ['CONDITION_TYPE_AGGREGATE_STATE', 'AGGREGATE_ISSUE_STATE_IGNORED_APP', 'ignored_app'],
    ['CONDITION_TYPE_AI_VERDICT', 'VERDICT_NO_VERDICT', 'no_verdict'],
    ['CONDITION_TYPE_CVE', 'cve-2021-44228', 'CVE-2021-44228'],
  ] as const)
    assert.deepEqual(spelled(type, name).conditions[0]?.values, [word]);
});

test('unsupported conditions are refused with their pointer', () => {
  const codes = (condition: AutomationCondition) =>
    validateFilters(normalizeFilters({ mode: 'MODE_ALL', conditions: [condition] }), '#/filters').map(
      ({ pointer, code }) => `${pointer} ${code}`,
    );
  const one = (type: AutomationConditionType, ...values: string[]): AutomationCondition => ({
    type,
    mode: 'MODE_ANY',
    values,
  });
  assert.deepEqual(codes(one('CONDITION_TYPE_UNKNOWN', 'x')), ['#/filters/conditions/0/type UNSUPPORTED']);
  assert.deepEqual(codes(one('CONDITION_TYPE_SEVERITY', 'high', 'severe')), [
    '#/filters/conditions/0/values/1 UNKNOWN_VALUE',
  ]);
  for (const [type, value] of [
    ['CONDITION_TYPE_REPOSITORY_ID', 'acme/web'],
    ['CONDITION_TYPE_CVE', 'log4shell'],
    ['CONDITION_TYPE_CWE', '79'],
    ['CONDITION_TYPE_FULL_SCAN', 'yes'],
    ['CONDITION_TYPE_PATH', ' '],
  ] as const)
    assert.deepEqual(codes(one(type, value)), ['#/filters/conditions/0/values/0 UNKNOWN_VALUE'], type);
  assert.deepEqual(codes({ ...one('CONDITION_TYPE_PATH', 'src'), mode: 'MODE_UNKNOWN' }), [
    '#/filters/conditions/0/mode UNSUPPORTED',
  ]);
});
