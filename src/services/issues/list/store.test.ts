import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import type { ReportedFinding } from '#domain/reports/report-items.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';

let world: World;
let place: TestDeployment;

const awkward = 'a "quoted" \\ path\twith 🧱 and \u2028';
const leftPad: NonNullable<ReportedFinding['sca']> = {
  ...{ advisories: ['CVE-2026-1'], package: 'left-pad', version: '1.0.0', ecosystem: 'npm', transitivity: 'direct' },
  fixVersions: ['1.0.2', '1.0.10'],
};
const findings = [
  makeReportedFinding({ rule: awkward, path: 'src/a b#c.js', line: 3, code: 'one(x)', context: 'a\none(x)\nb' }),
  makeReportedFinding({
    rule: 'exec',
    path: 'b.js',
    line: 1,
    code: 'exec(y)',
    more: { message: awkward, severity: 'info' },
  }),
  makeReportedFinding({
    rule: 'key',
    path: 'c.env',
    line: 1,
    code: 'KEY=1',
    more: { product: 'secrets', secret: { type: 'AWS' } },
  }),
  makeReportedFinding({
    rule: 'old',
    path: 'package-lock.json',
    line: 9,
    code: '',
    more: { product: 'sca', sca: leftPad },
  }),
  makeReportedFinding({ rule: 'assistant', path: 'd.js', line: 4, code: 'ask()' }),
];

before(async () => {
  world = await World.start();
  place = await world.deployment('List Works');
  const shop = await ProjectScans.start(world, place);
  await shop.scan(findings);
  await shop.scan(findings.slice(0, 2), { ref: 'refs/pull/7/merge' });
  await shop.scan(findings.slice(0, 1), { ref: 'feature/z' });
  await world.inDeployment(place, async (tx) => {
    await tx.run`update project set url = 'https://github.com/acme/shop' where deployment_id = ${place.id}`;
    await tx.run`update scan set commit = 'abc123' where deployment_id = ${place.id}`;
    await tx.run`update finding set product = 'ai_sast' where deployment_id = ${place.id} and rule = 'assistant'`;
    await tx.run`update finding set triage_state = 'ignored', triage_note = ${awkward}
      where deployment_id = ${place.id} and rule = 'exec'`;
  });
});
after(() => world.stop());

const idsOf = async (tx: Tx) => {
  const rows = await tx.rows`select id from finding where deployment_id = ${place.id} order by id`;
  return rows.map((row) => String(row['id']));
};
const permission = 'TRIAGE_PERMISSION_IGNORE';
const everything = { remediation: true, isArchived: true, firstDetectedAt: true, activityHistory: true };
const Rows = contract.listIssues.reply.shape.issues;

const listed = (included: store.IssueSelection['included'], turn?: (ids: string[]) => string[]) =>
  world.inDeployment(place, async (tx) => {
    const ids = await idsOf(tx);
    return JSON.parse(await store.listIssuesJson(tx, { ids: turn?.(ids) ?? ids, included, permission }));
  });

test('the JSON of the list has exactly the members of its schema in order', async () => {
  for (const included of [{}, everything]) {
    const rows = await listed(included);
    assert.equal(rows.length, findings.length);
    assert.equal(JSON.stringify(rows), JSON.stringify(z.encode(Rows, Rows.parse(rows))));
  }
});

test('an issue in the list equals the single issue, plus its refs', async () => {
  const rows = Rows.parse(await listed(everything));
  const alone = await world.inDeployment(place, async (tx) =>
    store.findMany(tx, { ids: await idsOf(tx), included: everything, permission }),
  );
  assert.deepEqual(
    rows.map(({ issue }) => issue),
    alone,
  );
  const first = rows.find(({ issue }) => issue.ruleId === awkward);
  assert.deepEqual(first?.allRefs, ['feature/z', 'main', 'refs/pull/7/merge']);
  assert.deepEqual(first?.issue.relatedIssues.map(({ ref, pullRequestId }) => [ref, pullRequestId]).sort(), [
    ['feature/z', ''],
    ['refs/pull/7/merge', '7'],
  ]);
  assert.equal(first?.issue.lineOfCodeUrl, 'https://github.com/acme/shop/blob/abc123/src/a%20b%23c.js#L3');
  assert.equal(first?.issue.repository.primaryRef?.ref, 'main');
  const dependency = rows.find(({ issue }) => issue.ruleId === 'old')?.issue.scaAttributes;
  assert.deepEqual(
    dependency?.fixRecommendations.map(({ version }) => version),
    leftPad.fixVersions,
  );
  assert.deepEqual(dependency?.bestFix, { package: 'left-pad', version: '1.0.2' });
});

test('a list keeps the order of the given ids', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: findings.length - 1 }), { maxLength: 8 }), async (turns) => {
      const orderedIds: string[] = [];
      const rows = await listed({}, (ids) => {
        orderedIds.push(...[...new Set(turns)].map((turn) => ids[turn] ?? assert.fail()));
        return orderedIds;
      });
      assert.deepEqual(
        rows.map(({ issue }: { issue: { id: string } }) => issue.id),
        orderedIds,
      );
    }),
    { numRuns: 20 },
  );
});

test('metadata lists contain only strings', async () => {
  const odd = {
    references: ['https://a.example', 7, null, { b: 'c' }],
    metadata: { cwe: 'CWE-9', subcategory: [true] },
  };
  await world.inDeployment(place, async (tx) => {
    await tx.run`update finding set detail = ${JSON.stringify(odd)}::jsonb
      where deployment_id = ${place.id} and rule = 'assistant'`;
  });
  const rows = Rows.parse(await listed({}));
  const issue = rows.find(({ issue: { ruleId } }) => ruleId === 'assistant')?.issue;
  assert.deepEqual(
    [issue?.ruleReferences, issue?.ruleCweNames, issue?.subcategories],
    [['https://a.example'], ['CWE-9'], []],
  );
});
