import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageText, findingRow, locationText } from './finding-row.ts';

test('a dependency has its package in the title and its reachability as signal', () => {
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
    relevantSince: '2026-02-01T00:00:00.000Z',
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

test('ages have one unit', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const ages = ['2026-11-15T11:30:00Z', '2026-11-15T02:00:00Z', '2026-10-30T12:00:00Z', '2026-03-01T00:00:00Z'];
  assert.deepEqual(
    ages.map((at) => ageText(at, now)),
    ['new', '10h', '16d', '8mo'],
  );
});
