import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bulkPreviewOf } from '../bulk/bulk-preview.ts';
import {
  COLUMN_NAMES,
  columnsParam,
  DEFAULT_COLUMNS,
  exportColumns,
  gridTemplateOf,
  minWidthOf,
  parseColumns,
  visibleColumns,
} from '../grid/columns.ts';
import { groupItems, rowItems } from '../grid/list-items.ts';
import { SelectionModel } from '../grid/selection-model.ts';
import { findingId, idLabel } from '../model/finding-id.ts';
import { ageText, type FindingRow, findingRow, locationText } from '../model/finding-row.ts';
import { updateSearch } from '../model/search.ts';

const ORDER = ['a', 'b', 'c', 'd'];
const listOf = (order = ORDER) => {
  const list = new SelectionModel();
  list.setOrder(order);
  return list;
};

test('moving stops at both ends, and starts at the end that is nearer', () => {
  const list = listOf();
  assert.equal(list.move(1), 0);
  assert.equal(list.move(-1), 0);
  assert.equal(list.move(10), 3);
  assert.equal(listOf().move(-1), 3);
  assert.equal(listOf([]).move(1), -1);
});

test('a key press tells the two lines that change, and no other', () => {
  const list = listOf();
  const told: string[] = [];
  for (const id of ORDER) list.subscribeTo(id, () => told.push(id));
  list.activate('a');
  told.length = 0;
  list.move(1);
  assert.deepEqual(told, ['a', 'b']);
});

test('a range goes from what was selected last up to the line that one is on, either way', () => {
  const list = listOf();
  list.toggle('c');
  list.selectUpTo('a', (id) => id !== 'b');
  assert.deepEqual([...list.selection.ids].sort(), ['a', 'c']);
});

test('selecting the page twice means all that match; touching a line after it does not', () => {
  const list = listOf();
  list.selectAll(ORDER, true);
  assert.deepEqual(list.selection, { ids: ORDER, isAll: false });
  list.selectAll(ORDER, true);
  assert.equal(list.selection.isAll, true);
  list.toggle('a');
  assert.deepEqual(list.selection, { ids: ['b', 'c', 'd'], isAll: false });
  list.clear();
  assert.deepEqual(list.selection.ids, []);
});

test('columns in the address give the columns back, and the usual ones need no word there', () => {
  assert.equal(columnsParam(DEFAULT_COLUMNS), undefined);
  assert.deepEqual(parseColumns('nonsense'), DEFAULT_COLUMNS);
  fc.assert(
    fc.property(fc.subarray(COLUMN_NAMES), (columns) => {
      assert.deepEqual(parseColumns(columnsParam(columns)), columns);
      assert.equal(gridTemplateOf(columns).split(' ').filter(Boolean).length >= columns.length + 2, true);
    }),
  );
});

test('a dependency is named before what is wrong with it, and its certainty is about reachability', () => {
  const issue = {
    id: '1',
    exactSeverity: 'SEVERITY_HIGH',
    ruleDisplayName: '',
    message: 'Prototype pollution',
    ruleId: 'CVE-1',
    issueType: 'ISSUE_TYPE_SCA',
    filePath: 'package-lock.json',
    line: 0,
    repository: { name: 'acme/web' },
    createdAt: '2026-01-01T00:00:00.000Z',
    aggregateState: 'AGGREGATE_ISSUE_STATE_OPEN',
    triageState: 'FINDING_TRIAGE_STATE_REOPENED',
    confidence: 'CONFIDENCE_HIGH',
    isBlocking: false,
    scaAttributes: {
      reachability: 'REACHABILITY_UNREACHABLE',
      foundDependency: { package: 'lodash', version: '4.17.15' },
    },
  };
  const row = findingRow(issue);
  assert.deepEqual(
    [row.title, row.signal, row.state, locationText(row)],
    ['lodash@4.17.15: Prototype pollution', 'Unreachable', 'reopened', 'package-lock.json'],
  );
});

test('ages are short', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const ages = ['2026-11-15T11:30:00Z', '2026-11-15T02:00:00Z', '2026-10-30T12:00:00Z', '2026-03-01T00:00:00Z'];
  assert.deepEqual(
    ages.map((at) => ageText(at, now)),
    ['new', '10h', '16d', '8mo'],
  );
});

const rowWith = (id: string, more: Partial<FindingRow> = {}): FindingRow => ({
  id,
  severity: 'SEVERITY_LOW',
  title: `Title ${id}`,
  rule: 'rule',
  type: 'ISSUE_TYPE_SAST',
  path: 'src/a.ts',
  line: 1,
  project: 'acme/web',
  at: '2026-01-01T00:00:00.000Z',
  state: 'open',
  signal: '',
  isBlocking: false,
  ...more,
});

const sourceOf = <Line>(lines: readonly Line[], more: { hasMore?: boolean; error?: unknown } = {}) => ({
  lines,
  isLoading: false,
  isOld: false,
  error: undefined,
  hasMore: false,
  more: () => {},
  retry: () => {},
  ...more,
});

test('the findings of the open group stand below it, and what is still to come below them', () => {
  const group = { label: '', q: '', count: 2, severities: {}, newestAt: '' };
  const groups = sourceOf([
    { ...group, key: 'one' },
    { ...group, key: 'two' },
  ]);
  const items = groupItems(groups, 'one', sourceOf([rowWith('1')], { hasMore: true }));
  assert.deepEqual(
    items.map(({ kind, id }) => [kind, id]),
    [
      ['group', 'group one'],
      ['row', '1'],
      ['wait', 'wait rows 2'],
      ['group', 'group two'],
    ],
  );
  assert.equal(rowItems(sourceOf([], { error: new Error('no') }))[0]?.kind, 'failed');
});

test('what a change would touch is told by project, and the worst come first', () => {
  const rows = [rowWith('1'), rowWith('2', { project: 'acme/api' }), rowWith('3', { severity: 'SEVERITY_CRITICAL' })];
  const { count, workflows, elsewhere, projects, worst } = bulkPreviewOf(rows);
  assert.deepEqual([count, workflows, elsewhere], [3, 0, 0]);
  assert.deepEqual(projects, [
    { name: 'acme/web', count: 2 },
    { name: 'acme/api', count: 1 },
  ]);
  assert.deepEqual(
    worst.map(({ id }) => id),
    ['3', '1', '2'],
  );
});

test('what a change would touch says how many workflows found, and how many are in projects that are not named', () => {
  const rows = ['1', 'WF-1', '3', '4', '5', 'WF-2'].map((id, index) => rowWith(id, { project: `acme/${index}` }));
  const { workflows, elsewhere, projects } = bulkPreviewOf(rows);
  assert.deepEqual([workflows, elsewhere, projects.length], [2, 1, 5]);
});

test('a change of the address leaves out what is no longer said', () => {
  assert.deepEqual(updateSearch({ q: 'is:open', at: '1' }, { at: undefined, sort: 'severity' }), {
    q: 'is:open',
    sort: 'severity',
  });
});

test('an export begins with what a finding is, and has the columns of the list', () => {
  assert.deepEqual(exportColumns(['severity', 'location']), [
    'id',
    'title',
    'severity',
    'path',
    'line',
    'message',
    'url',
  ]);
});

test('columns give way on narrow screens, unless somebody chose them', () => {
  assert.ok(!visibleColumns(DEFAULT_COLUMNS, 900).includes('signal'));
  assert.ok(visibleColumns(parseColumns('signal'), 300).includes('signal'));
});

test('ids of the two lists are told apart', () => {
  assert.deepEqual([idLabel('12'), idLabel('WF-12')], ['ISS-12', 'WF-12']);
  assert.deepEqual(['12', 'iss-12', 'wf-12', 'w12', 'WF-'].map(findingId), ['12', '12', 'WF-12', undefined, undefined]);
});

test('the least width of a line has room for all of its columns and the gaps between', () => {
  assert.equal(minWidthOf('2rem 6rem minmax(9rem, 2fr) 2.75rem'), '23rem');
});
