import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ActionDraft,
  assignActionIds,
  normalizeAction,
  validateActionIds,
  validateActions,
  validateTrigger,
} from './actions.ts';
import { type AutomationAction, type AutomationActionType, AutomationTriggerSource } from './shape.ts';

const config = fc.dictionary(fc.constantFrom('project_id', 'state', 'note'), fc.constantFrom('a', 'b'), {
  noNullPrototype: true,
});
const type = fc.constantFrom<AutomationActionType>('ACTION_TYPE_JIRA', 'ACTION_TYPE_TRIAGE', 'ACTION_TYPE_PR_COMMENT');
const drafts: fc.Arbitrary<ActionDraft[]> = fc.array(fc.record({ type, config }), { maxLength: 6 });
const bare = ({ type: kind, config: given }: ActionDraft) => ({ type: kind, config: { ...given } });

test('actions keep their order, and each has its own id', () => {
  fc.assert(
    fc.property(drafts, drafts, (first, second) => {
      const before = assignActionIds(first, { before: [], lastId: 0 });
      const after = assignActionIds(second, { before: before.actions, lastId: before.lastId });
      assert.deepEqual(after.actions.map(bare), second.map(bare));
      assert.equal(new Set(after.actions.map(({ id }) => id)).size, second.length);
    }),
  );
});

test('unchanged actions keep their ids, whether or not the request has them', () => {
  fc.assert(
    fc.property(drafts, (made) => {
      const before = assignActionIds(made, { before: [], lastId: 0 });
      const old = { before: before.actions, lastId: before.lastId };
      assert.deepEqual(assignActionIds(before.actions, old), before);
      assert.deepEqual(assignActionIds(before.actions.map(bare), old), before);
      assert.deepEqual(validateActionIds(before.actions, before.actions, '#'), []);
    }),
  );
});

test('a new action never gets an id that was used before', () => {
  fc.assert(
    fc.property(fc.array(drafts, { minLength: 2, maxLength: 6 }), (turns) => {
      const meaning = new Map<string, string>();
      let state: { actions: AutomationAction[]; lastId: number } = { actions: [], lastId: 0 };
      for (const turn of turns) {
        state = assignActionIds(turn, { before: state.actions, lastId: state.lastId });
        for (const { id, ...action } of state.actions) {
          const text = JSON.stringify(Object.entries(action.config).sort()) + action.type;
          assert.equal(meaning.get(id) ?? text, text);
          meaning.set(id, text);
        }
      }
    }),
  );
});

const problems = (actions: ActionDraft[], trigger: AutomationTriggerSource = 'TRIGGER_SOURCE_SCAN') =>
  validateActions(actions.map(normalizeAction), { trigger, pointer: '#' }).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );
const action = (kind: AutomationActionType, given: Record<string, string> = {}): ActionDraft => ({
  type: kind,
  config: given,
});
const comment = action('ACTION_TYPE_PR_COMMENT');

test('an action without its required config is refused with the missing member', () => {
  assert.deepEqual(problems([action('ACTION_TYPE_JIRA', { project_id: ' ' })]), [
    '#/0/config/project_id REQUIRED',
    '#/0/config/credential_slug REQUIRED',
  ]);
  for (const [kind, key] of [
    ['ACTION_TYPE_WEBHOOK', 'webhook_id'],
    ['ACTION_TYPE_SLACK_WEBHOOK', 'webhook_id'],
    ['ACTION_TYPE_SLACK_APP', 'channel_id'],
    ['ACTION_TYPE_EMAIL', 'recipients'],
    ['ACTION_TYPE_PARTNER', 'credential_slug'],
    ['ACTION_TYPE_TRIAGE', 'state'],
    ['ACTION_TYPE_TRIGGER_WORKFLOW', 'workflow_id'],
  ] as const)
    assert.deepEqual(problems([action(kind)]), [`#/0/config/${key} REQUIRED`]);
  assert.deepEqual(problems([action('ACTION_TYPE_SLACK_APP', { channel_name: '#security' })]), []);
});

test('a block requires a comment action and a scan trigger', () => {
  const block = action('ACTION_TYPE_BLOCK');
  assert.deepEqual(problems([block]), ['#/0/type MISSING_DEPENDENT_ACTION']);
  assert.deepEqual(problems([block, comment]), []);
  assert.deepEqual(problems([comment, block], 'TRIGGER_SOURCE_MANUAL'), ['#/1/type NEVER_TRUE']);
});

test('a triage action has a valid state, and a reason only with the state ignored', () => {
  const triage = (given: Record<string, string>) => problems([action('ACTION_TYPE_TRIAGE', given)]);
  assert.deepEqual(triage({ state: 'TRIAGE_STATE_IGNORED', reason: 'TRIAGE_REASON_NO_TIME' }), []);
  assert.deepEqual(triage({ state: 'closed' }), ['#/0/config/state UNKNOWN_VALUE']);
  assert.deepEqual(triage({ state: 'ignored', reason: 'bored' }), ['#/0/config/reason UNKNOWN_VALUE']);
  assert.deepEqual(triage({ state: 'fixing', reason: 'no_time' }), ['#/0/config/reason CONTRADICTION']);
});

test('a config must not contain secrets, and mail recipients must be addresses', () => {
  for (const key of ['url', 'webhookUrl', 'client_secret', 'apiKey', 'token'])
    assert.deepEqual(problems([action('ACTION_TYPE_WEBHOOK', { webhook_id: '1', [key]: 'x' })]), [
      `#/0/config/${key} SECRET_REFUSED`,
    ]);
  const mail = (recipients: string) => problems([action('ACTION_TYPE_EMAIL', { recipients })]);
  assert.deepEqual(mail('a@example.com, b@example.com'), []);
  assert.deepEqual(mail('a@example.com,,b'), ['#/0/config/recipients UNKNOWN_VALUE']);
});

test('the same action twice and an unknown one are refused', () => {
  assert.deepEqual(problems([comment, comment]), ['#/1 REPEATED']);
  assert.deepEqual(problems([action('ACTION_TYPE_UNKNOWN')]), ['#/0/type UNSUPPORTED_ACTION_TYPE']);
});

test('a trigger that nothing starts is refused', () => {
  const accepted = AutomationTriggerSource.options.filter((trigger) => validateTrigger(trigger, '#').length === 0);
  assert.deepEqual(accepted, ['TRIGGER_SOURCE_SCAN', 'TRIGGER_SOURCE_MANUAL', 'TRIGGER_SOURCE_ISSUE_TRIAGED']);
});

test('an action id that is unknown or used twice is refused', () => {
  const before: AutomationAction[] = [{ type: 'ACTION_TYPE_PR_COMMENT', config: {}, id: '1' }];
  const codes = (...ids: string[]) =>
    validateActionIds(
      ids.map((id) => ({ ...comment, id })),
      before,
      '#',
    ).map(({ code }) => code);
  assert.deepEqual(codes('2'), ['UNKNOWN_REFERENCE']);
  assert.deepEqual(codes('1', '1'), ['REPEATED']);
});
