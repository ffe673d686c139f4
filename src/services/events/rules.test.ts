import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type AuditedChange,
  classifyRecords,
  eventIdOf,
  frameOf,
  mergeWorkflowChanges,
  objectKindOf,
  parseEventId,
  sortByRecord,
} from './rules.ts';

const AT = '2026-01-01T00:00:00Z';
const done = (id: string, operation: string, object: string): AuditedChange => ({
  id,
  at: '2026-01-01T00:00:00.000Z',
  operation,
  object,
});

test('an event id is parsed back to its record, and other texts are rejected', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (id) => parseEventId(eventIdOf(`${id}`)) === `${id}`),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const record = parseEventId(text);
      assert.ok(record === undefined || eventIdOf(record).length > 0);
    }),
  );
  for (const text of ['', '12', '!', btoa('1:x'), btoa('1:-5'), btoa('2:5'), btoa('1:9223372036854775808')])
    assert.equal(parseEventId(text.replaceAll('=', '')), undefined, text);
});

test('ended scans and triage batches have their own events, other changes one per kind', () => {
  const { scans, batches, changes } = classifyRecords([
    done('1', 'TeamsService.createDeploymentTeam', 'team/1'),
    done('2', 'ImportsService.importReport', 'scan/7'),
    done('3', 'ScannerService.startScan', 'scan/8'),
    done('4', 'ScannerService.completeScan', 'scan/8'),
    done('5', 'IssuesService.bulkUpdate', 'batch/9'),
    done('6', 'IssuesService.bulkUpdate', 'batch/0'),
    done('7', 'IssuesService.undoBatch', 'batch/9'),
    done('8', 'TeamsService.updateDeploymentTeam', 'team/2'),
    done('9', 'ChecklistService.patchChecklist', '12/7'),
  ]);
  assert.deepEqual(
    scans.map(({ scan }) => scan),
    ['7', '8'],
  );
  assert.deepEqual(
    batches.map(({ batch, isUndone }) => [batch, isUndone]),
    [
      ['9', false],
      ['9', true],
    ],
  );
  assert.deepEqual(
    changes.map(({ record, data }) => [record, data['what']]),
    [
      ['3', 'scan'],
      ['8', 'team'],
      ['9', 'deployment'],
    ],
  );
});

test('batches about workflow issues are merged with other changes of issues, keeping the last', () => {
  const sorted = classifyRecords([
    done('5', 'IssuesService.startBulkUpdate', 'batch/9'),
    done('10', 'PublicIssuesService.triageIssue', 'issue/3'),
    done('11', 'IssuesService.undoBatch', 'batch/9'),
    done('12', 'IssuesService.undoBatch', 'batch/8'),
  ]);
  const told = (isOfWorkflows: boolean) =>
    mergeWorkflowChanges(sorted, (batch) => isOfWorkflows && batch === '9').map(({ record, data }) => [
      record,
      data['what'],
    ]);
  assert.deepEqual(told(false), [['10', 'issue']]);
  assert.deepEqual(told(true), [['11', 'issue']]);
});

test('the kind of an object is always a valid name', () => {
  fc.assert(fc.property(fc.string(), (object) => /^[a-z][a-z_-]*$/i.test(objectKindOf(object))));
});

test('events are in numeric order of their records', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 1n, max: 2n ** 62n })), (ids) => {
      const events = ids.map((id) => ({ record: `${id}`, type: 'deployment.changed' as const, at: '', data: {} }));
      const sorted = sortByRecord(events).map(({ record }) => BigInt(record));
      assert.deepEqual(
        sorted,
        ids.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)),
      );
    }),
  );
});

test('the content of an event cannot break out of its frame', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const event = { record: '5', type: 'findings.triaged' as const, at: AT, data: { by: `\n\n${text}\r\n` } };
      const frame = frameOf('1', event);
      assert.equal(frame.split('\n\n').length, 2);
      assert.ok(!frame.includes('\r'));
    }),
  );
});
