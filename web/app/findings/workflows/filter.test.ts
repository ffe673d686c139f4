import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewOf } from '#web/query/view.ts';
import { workflowFiltersOf } from './filter.ts';

const of = (q: string) => workflowFiltersOf(viewOf(q).query);

test('what is open is what nobody decided about, or what was opened again', () => {
  assert.deepEqual(of('is:open').filters, { triageStates: ['TRIAGE_STATE_OPEN', 'TRIAGE_STATE_REOPENED'] });
});

test('severity, reason, text and path are asked for in the words of that part of the API', () => {
  const { filters, unknown } = of('severity:>=high reason:no-time path:*workflows* "shell"');
  assert.deepEqual(filters, {
    severities: ['SEVERITY_HIGH', 'SEVERITY_CRITICAL'],
    triageReasons: ['TRIAGE_REASON_NO_TIME'],
    filePathQuery: 'workflows',
    titleQuery: 'shell',
  });
  assert.deepEqual(unknown, []);
});

test('terms that cannot be asked for are named instead of passed over', () => {
  assert.deepEqual(of('cwe:89 -severity:low "a" "b" is:new').unknown, ['cwe:89', 'is:new', '-severity:low', '"b"']);
});
