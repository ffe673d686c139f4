import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importSummary, suggestProjectName } from './import-summary.ts';

const result = {
  scanId: '1',
  format: 'sarif',
  opened: 12,
  fixed: 3,
  reopened: 0,
  removed: 0,
  unchanged: 40,
  moved: 2,
  held: 0,
  warnings: [],
};

test('what an import did is one line that leaves out what did not happen', () => {
  assert.equal(importSummary(result), '12 new, 3 fixed, 42 as before');
  assert.equal(
    importSummary({ ...result, reopened: 1, held: 5 }, true),
    'Would be: 12 new, 3 fixed, 1 found again, 5 held open, 42 as before',
  );
});

test('a project is offered that is called like the report, without what tells its format', () => {
  assert.equal(suggestProjectName('acme web.sarif.json.gz'), 'acme-web');
  assert.equal(suggestProjectName('.json'), 'project');
});
