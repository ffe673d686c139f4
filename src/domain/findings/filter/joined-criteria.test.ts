import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_TERMS } from '#domain/query/ast.ts';
import { parseFilter } from '#domain/query/parse-filter.ts';
import { issueFilterSql } from '#domain/workflow-issues/issue-conditions.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import { filterSql } from './filter-sql.ts';
import { filterOfQuery } from './query-filter.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const MAX_PLANNED_JOINS = 16;

interface PlanNode {
  'Node Type': string;
  'Parent Relationship'?: string;
  Plans?: PlanNode[];
}

/** The joins that are planned together; a subplan is planned on its own. */
function countJoins(node: PlanNode): number {
  const parts = (node.Plans ?? []).filter((part) => !/SubPlan|InitPlan/.test(part['Parent Relationship'] ?? ''));
  const isJoin = /Join|Nested Loop/.test(node['Node Type']);
  return (isJoin ? 1 : 0) + parts.reduce((sum, part) => sum + countJoins(part), 0);
}

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

async function joinsOf(query: Sql): Promise<number> {
  const [row = assert.fail()] = await world.inDeployment(place, (tx) => tx.rows`explain (format json) ${query}`);
  const [{ Plan: plan } = assert.fail()] = row['QUERY PLAN'] as { Plan: PlanNode }[];
  return countJoins(plan);
}

test('a filter with the maximum of terms on one key is planned with few joins', async () => {
  for (const key of ['branch', 'tag', 'project', 'owner']) {
    const terms = Array.from({ length: MAX_TERMS }, (_, index) => `${key}:name${index}`);
    const { query, problems } = parseFilter(terms.join(' '));
    assert.deepEqual(problems, []);
    const filter = filterOfQuery(query, NOW);
    const context = { caller: { ...anonymousCaller, deployment: place.id, seesEverything: true }, now: NOW };
    const queries = [
      sql`select id from finding where ${filterSql(filter, context)}`,
      sql`select id from workflow_issue as issue where ${issueFilterSql(filter, context)}`,
    ];
    for (const text of queries) {
      const joins = await joinsOf(text);
      assert.ok(joins <= MAX_PLANNED_JOINS, `${key}: ${joins} joins`);
    }
  }
});
