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

test('the import summary is one line without zero counts', () => {
  assert.equal(importSummary(result), '12 new, 3 fixed, 42 unchanged');
  assert.equal(
    importSummary({ ...result, reopened: 1, held: 5 }, true),
    'Preview: 12 new, 3 fixed, 1 reopened, 5 kept open, 42 unchanged',
  );
});

test('the suggested project name is the file name without its extensions', () => {
  assert.equal(suggestProjectName('acme web.sarif.json.gz'), 'acme-web');
  assert.equal(suggestProjectName('.json'), 'project');
});
