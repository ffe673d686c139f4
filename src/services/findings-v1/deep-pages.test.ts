import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { findingListSql, NEWEST_FIRST, planFindingList } from '#domain/findings/filter/finding-list.ts';
import { exactMatches } from '#domain/findings/filter/text-match.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { ListAnchors, PageAnchors } from '#kernel/db/query/page-anchors.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as store from './store.ts';

const FINDINGS = 600;
const PAGE = 10;
const DEEP = 500;

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment();
  for (let count = 0; count < 4; count++) await world.project(place);
  await world.inDeployment(place, async (tx) => {
    await tx.run`
      insert into project_ref (deployment_id, project_id, ref)
      select deployment_id, id, ref from project, unnest(array['main', 'feature']) as ref
      where deployment_id = ${place.id}`;
    await tx.run`
      insert into analysis (deployment_id, project_id, ref_id, key)
      select deployment_id, project_id, id, 'test' from project_ref where deployment_id = ${place.id}`;
    await tx.run`
      with made as (
        insert into finding (deployment_id, project_id, product, tool, rule, title, message, severity, confidence,
          category, cwes, owasps, path, line, start_column, end_line, end_column, code, state, first_scan_id,
          first_seen_at, relevant_since)
        select ${place.id}::bigint, project.id, 'sast', 'test', 'rule', 'Rule', 'Message', n % 5, 1, 'security', '{}',
          '{}', 'src/file-' || n, n, 1, n, 9, 'code', 'detected', 1, now() - n * interval '1 minute',
          now() - n * interval '1 minute'
        from generate_series(1, ${FINDINGS}::integer) as n
        join (select id, row_number() over (order by id) - 1 as number from project
              where deployment_id = ${place.id}) as project on project.number = n % 4
        returning deployment_id, id, project_id, path, line, relevant_since)
      insert into detection (deployment_id, analysis_id, finding_id, state, evidence, is_muted, path, line,
        start_column, end_line, end_column, first_scan_id, detected_at, changed_at, changed_scan_id)
      select made.deployment_id, analysis.id, made.id,
        case when project_ref.ref = 'main' then 'detected' when made.line % 3 = 0 then 'removed' else 'fixed' end,
        'new', false, made.path, 1, 1, 1, 9, 1, made.relevant_since, made.relevant_since, 1
      from made
      join analysis on analysis.deployment_id = made.deployment_id and analysis.project_id = made.project_id
      join project_ref on project_ref.deployment_id = analysis.deployment_id and project_ref.id = analysis.ref_id
      where project_ref.ref = 'main' or made.line % 2 = 0`;
  });
  await world.queryAsOwner('vacuum analyze');
});
after(() => world.stop());

const context = () => ({
  caller: { ...anonymousCaller, deployment: place.id, seesEverything: true },
  now: new Date(),
});

const DEDUPLICATED = { products: ['sast'], isAnywhere: true };
const byRef = { products: ['sast'], isByRef: true };

describe('pages of findings by number', () => {
  const requests = {
    'with one record for each ref': { filter: byRef },
    'on one ref': { filter: { ...byRef, refs: exactMatches(['feature']) } },
    'with one status on the ref': { filter: { ...byRef, is: ['fixed' as const] }, statuses: ['fixed'] },
  };
  for (const [name, request] of Object.entries(requests))
    test(`${name} join to the complete list`, async () => {
      await world.inDeployment(place, async (tx) => {
        const list = async (offset: number, limit: number) =>
          JSON.parse(await store.listByRefJson(tx, context(), { ...request, offset, limit })) as { id: number }[];
        const all = await list(0, 3000);
        const pages: { id: number }[] = [];
        for (let offset = 0; offset < all.length + 7; offset += 7) pages.push(...(await list(offset, 7)));
        assert.ok(all.length > 7 * PAGE, String(all.length));
        assert.deepEqual(pages, all);
      });
    });

  for (const [name, request] of Object.entries({
    ...requests,
    'with one record for each finding': { filter: DEDUPLICATED },
  }))
    test(`${name} begin at pages that were read before, in any order`, async () => {
      const read = request.filter === DEDUPLICATED ? store.listDeduplicatedJson : store.listByRefJson;
      await world.inDeployment(place, async (tx) => {
        const anchors = new ListAnchors();
        const list = async (offset: number, limit: number, known?: ListAnchors) =>
          JSON.parse(await read(tx, context(), { ...request, offset, limit }, known)) as { id: number }[];
        const all = await list(0, 3000);
        const forward = Array.from({ length: 30 }, (_, index) => 7 * index);
        for (const offset of [...forward, 140, 3, 91, 0, all.length - 5, all.length + 9, ...forward.toReversed()])
          assert.deepEqual(await list(offset, 7, anchors), all.slice(offset, offset + 7), String(offset));
        const { before = 0 } = anchors.nearest(200) ?? {};
        assert.ok(before > 180, String(before));
      });
    });
});

describe('where pages begin is forgotten', () => {
  const open = (anchors: PageAnchors, now = new Date()) =>
    world.inDeployment(place, (tx) =>
      store.openAnchors(tx, anchors, { ...context(), now }, { filter: byRef, offset: 0, limit: 0 }),
    );
  const started = async (now?: Date) => {
    const anchors = new PageAnchors();
    (await open(anchors, now)).add([{ before: 10, key: ['1'] }]);
    assert.equal((await open(anchors, now)).nearest(20)?.before, 10);
    return anchors;
  };

  test('when a caller has changed something', async () => {
    const anchors = await started();
    await world.inDeployment(
      place,
      (tx) => tx.run`
        insert into audit_record (deployment_id, request_id, actor_kind, actor, credential, address, operation, object,
          result)
        values (${place.id}, 'test', 'user', 'test', '', '', 'test', '', 'ok')`,
    );
    assert.equal((await open(anchors)).nearest(20), undefined);
  });

  test('when a job has changed findings', async () => {
    const anchors = await started();
    await world.inDeployment(
      place,
      (tx) => tx.run`
        update finding set triage_state = 'reviewing'
        where deployment_id = ${place.id} and id = (select max(id) from finding where deployment_id = ${place.id})`,
    );
    assert.equal((await open(anchors)).nearest(20), undefined);
  });

  test('after ten minutes', async () => {
    const now = new Date();
    const anchors = await started(now);
    assert.equal((await open(anchors, new Date(now.getTime() + 10 * 60_000))).nearest(20), undefined);
  });

  test('except at even distances in a long list, and at its end', () => {
    const anchors = new ListAnchors();
    for (let before = 0; before < 10_000; before++) anchors.add([{ before, key: ['1'] }]);
    assert.equal(anchors.nearest(20_000)?.before, 9_999);
    for (const offset of [500, 5_000]) {
      const { before = 0 } = anchors.nearest(offset) ?? {};
      assert.ok(before <= offset && before > offset - 512, `${offset}: ${before}`);
    }
  });
});

interface PlanNode {
  'Relation Name'?: string;
  'Index Name'?: string;
  'Subplan Name'?: string;
  'Actual Loops': number;
  'Actual Rows': number;
  Plans?: PlanNode[];
}
const Explained = z.object({ 'QUERY PLAN': z.array(z.object({ Plan: z.looseObject({}) })) });

/** The nodes of a plan outside the parts that choose the findings of the page. */
const joinedNodes = (node: PlanNode): PlanNode[] =>
  ['CTE found', 'CTE hit'].includes(node['Subplan Name'] ?? '')
    ? []
    : [node, ...(node.Plans ?? []).flatMap((child) => joinedNodes(child))];

describe('a deep page joins what its records show only to its own findings', () => {
  for (const [name, filter, build] of [
    ['one record for each ref', byRef, store.recordsByRefSql],
    ['one record for each finding', { products: ['sast'], isAnywhere: true }, store.deduplicatedRecordsSql],
  ] as const)
    test(name, async () => {
      await world.inDeployment(place, async (tx) => {
        const page = { filter: { ...filter, products: ['sast'] }, offset: DEEP, limit: PAGE };
        const plan = await planFindingList(tx, context(), page.filter);
        const request = { filter: page.filter, order: NEWEST_FIRST, after: null, limit: DEEP + PAGE };
        const explained = await tx.one(Explained)`
          explain (analyze, format json) ${build(findingListSql(request, plan), page)}`;
        const nodes = joinedNodes(explained?.['QUERY PLAN'][0]?.Plan as unknown as PlanNode);
        const read = (table: string) =>
          nodes.filter((node) => node['Relation Name'] === table).map((node) => node['Actual Loops']);
        for (const table of ['finding', 'detection']) {
          assert.ok(read(table).length > 0, table);
          assert.ok(Math.max(...read(table)) <= 2 * PAGE, `${table}: ${read(table)}`);
        }
        // Small tables may be read as a whole, but not once for each skipped finding.
        for (const table of ['project', 'project_ref', 'analysis', 'scan'])
          assert.ok(Math.max(0, ...read(table)) <= 4 * PAGE, `${table}: ${read(table)}`);
      });
    });
});
