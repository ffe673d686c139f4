import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { findingListSql, NEWEST_FIRST, planFindingList } from '#domain/findings/filter/finding-list.ts';
import { exactMatches } from '#domain/findings/filter/text-match.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
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
