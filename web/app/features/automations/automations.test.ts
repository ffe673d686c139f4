import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedValuesOf } from '#domain/automations/automation-filters.ts';
import { AutomationActionType, AutomationConditionType, AutomationTriggerSource } from '#domain/automations/shape.ts';
import { ACTION_TYPES, CONDITION_TYPES, TRIGGER_LABELS } from '#web/ui/automations/automation-types.ts';
import {
  describeAction,
  describeAutomation,
  describeCondition,
  WITHOUT_NAMES,
} from '#web/ui/automations/describe-automation.ts';
import { automationBody, draftFromAutomation, fieldErrorAt, suggestedDraft } from './editor/automation-draft.ts';

const known = (words: readonly string[]) => words.filter((word) => !word.endsWith('_UNKNOWN')).toSorted();

test('every trigger, condition and action of the API has a label', () => {
  assert.deepEqual(Object.keys(TRIGGER_LABELS).toSorted(), known(AutomationTriggerSource.options));
  assert.deepEqual(Object.keys(CONDITION_TYPES).toSorted(), known(AutomationConditionType.options));
  assert.deepEqual(Object.keys(ACTION_TYPES).toSorted(), known(AutomationActionType.options));
});

test('enum conditions offer exactly the values that the API accepts', () => {
  for (const type of AutomationConditionType.options) {
    const words = CONDITION_TYPES[type]?.valueLabels;
    assert.deepEqual(words && Object.keys(words).toSorted(), allowedValuesOf(type)?.toSorted(), type);
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

test('an automation is described in a sentence', () => {
  assert.equal(
    describeAutomation(automation, { ...WITHOUT_NAMES, project: (id) => `acme/${id}` }),
    'When a scan finishes and severity is critical or high, project is not acme/7 and on the primary branch, ' +
      'then comment on the pull request and set the triage state (to fix).',
  );
});

test('a condition with many values names the first of them', () => {
  const condition = { type: 'CONDITION_TYPE_RULE_ID', mode: 'MODE_ANY', values: [...'abcdefgh'] };
  assert.equal(describeCondition(condition, WITHOUT_NAMES), 'rule is a, b, c, d, e or 3 others');
});

test('an action that calls a webhook is described with its name', () => {
  const action = { type: 'ACTION_TYPE_WEBHOOK', config: { webhook_id: '9' } };
  assert.equal(describeAction(action, { ...WITHOUT_NAMES, webhook: () => 'SIEM' }), 'call a webhook (SIEM)');
  const post = { type: 'ACTION_TYPE_SLACK_APP', config: { channel_id: 'C1' } };
  assert.equal(
    describeAction(post, { ...WITHOUT_NAMES, channel: () => '#security' }),
    'post to a Slack channel (#security)',
  );
});

test('a stored automation passes through the form unchanged', () => {
  assert.deepEqual(automationBody(draftFromAutomation(automation)), { automation });
});

test('the suggested automation uses the e-mail address, and empty members are omitted', () => {
  const { automation: body } = automationBody(suggestedDraft('ada@example.com'));
  assert.deepEqual(body.actions, [{ type: 'ACTION_TYPE_EMAIL', config: { recipients: 'ada@example.com' } }]);
  assert.deepEqual(automationBody(suggestedDraft(' ')).automation.actions, [{ type: 'ACTION_TYPE_EMAIL', config: {} }]);
});

test('server errors are assigned to the matching part of the form', () => {
  const errors = [
    { pointer: '#/automation/filters/conditions/0/values/1', detail: 'expected one of high' },
    { pointer: '#/automation/filters/conditions/10/type', detail: 'no' },
  ];
  assert.equal(fieldErrorAt(errors, '#/automation/filters/conditions/0'), 'expected one of high');
  assert.equal(fieldErrorAt(errors, '#/automation/filters/conditions/1'), undefined);
});
