import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excludeWorkflowIssues } from './exclude-workflow-issues.ts';

test('the link of a scanner finding count excludes workflow issues', () => {
  assert.equal(excludeWorkflowIssues('is:open severity:high'), 'is:open severity:high -type:workflow');
  assert.equal(excludeWorkflowIssues('is:open type:code'), 'is:open type:code');
  assert.equal(excludeWorkflowIssues('-type:secret'), '-type:secret,workflow');
  assert.equal(excludeWorkflowIssues('severty:high'), 'severty:high');
});
