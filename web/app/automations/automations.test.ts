import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsOf } from '#domain/automations/conditions.ts';
import { ActionType, ConditionType, TriggerSource } from '#domain/automations/shape.ts';
import { bodyOf, draftOf, errorsAt, suggestedDraft } from './draft.ts';
import { sentenceOf } from './sentence.ts';
import { ACTIONS, CONDITIONS, TRIGGERS } from './words.ts';

const known = (words: readonly string[]) => words.filter((word) => !word.endsWith('_UNKNOWN')).toSorted();

test('every trigger, condition and action of the API has words', () => {
  assert.deepEqual(Object.keys(TRIGGERS).toSorted(), known(TriggerSource.options));
  assert.deepEqual(Object.keys(CONDITIONS).toSorted(), known(ConditionType.options));
  assert.deepEqual(Object.keys(ACTIONS).toSorted(), known(ActionType.options));
});

test('a closed list offers exactly the values that the API takes', () => {
  for (const type of ConditionType.options) {
    const words = CONDITIONS[type]?.words;
    assert.deepEqual(words && Object.keys(words).toSorted(), wordsOf(type)?.toSorted(), type);
  }
});

const automation = {
  name: 'Tell us',
  description: '',
  active: true,
  triggerSource: 'TRIGGER_SOURCE_SCAN',
  filters: {
    mode: 'MODE_ALL',
    conditions: [
      { type: 'CONDITION_TYPE_SEVERITY', mode: 'MODE_ANY', values: ['critical', 'high'] },
      { type: 'CONDITION_TYPE_REPOSITORY_ID', mode: 'MODE_NONE', values: ['7'] },
      { type: 'CONDITION_TYPE_PRIMARY_REF', mode: 'MODE_ANY', values: ['true'] },
    ],
  },
  actions: [
    { type: 'ACTION_TYPE_PR_COMMENT', config: {}, id: '1' },
    { type: 'ACTION_TYPE_TRIAGE', config: { state: 'fixing' }, id: '2' },
  ],
};

test('an automation reads as a sentence', () => {
  assert.equal(
    sentenceOf(automation, (id) => `acme/${id}`),
    'When a scan finishes and severity is critical or high, project is not acme/7 and on the primary branch, ' +
      'then comment on the pull request and set the triage state (to fix).',
  );
});

test('what was stored goes through the form unchanged', () => {
  assert.deepEqual(bodyOf(draftOf(automation)), { automation });
});

test('the suggestion names its mail address, and empty members are left out', () => {
  const { automation: body } = bodyOf(suggestedDraft('ada@example.com'));
  assert.deepEqual(body.actions, [{ type: 'ACTION_TYPE_EMAIL', config: { recipients: 'ada@example.com' } }]);
  assert.deepEqual(bodyOf(suggestedDraft(' ')).automation.actions, [{ type: 'ACTION_TYPE_EMAIL', config: {} }]);
});

test('what the server says about a part of the form lands on that part', () => {
  const errors = [
    { pointer: '#/automation/filters/conditions/0/values/1', detail: 'expected one of high' },
    { pointer: '#/automation/filters/conditions/10/type', detail: 'no' },
  ];
  assert.equal(errorsAt(errors, '#/automation/filters/conditions/0'), 'expected one of high');
  assert.equal(errorsAt(errors, '#/automation/filters/conditions/1'), undefined);
});
