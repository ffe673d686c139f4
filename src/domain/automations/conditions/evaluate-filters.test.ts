import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import { sql, unprepared } from '#kernel/db/query/sql.ts';
import { ProjectScans } from '#test/support/factories/project-scans.ts';
import { randomSeed, runsOf } from '#test/support/properties.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import { allowedValuesOf, validateFilters } from '../automation-filters.ts';
import { type AutomationCondition, AutomationConditionType, type AutomationFilters } from '../shape.ts';
import { CONDITION_KINDS } from './condition-kinds.ts';
import { filtersHold, filtersSql, stateIsMeant, statesSql } from './evaluate-filters.ts';
import { ALL_FACTS, FindingFacts, factColumns } from './finding-facts.ts';
import { resolveReferences } from './references.ts';

const FINDINGS = runsOf({ full: 500, quick: 200 });
const FILTERS = runsOf({ full: 2000, quick: 250 });

let world: World;
let place: TestDeployment;
let projects: string[];

before(async () => {
  world = await World.start();
  place = await world.deployment();
  projects = [];
  for (const name of ['acme/a', 'acme/b', 'acme/c']) projects.push(await world.project(place, name));
  await world.queryAsOwner(`insert into deployment_tag (deployment_id, tag) values ($1, 'payments'), ($1, 'web')`, [
    place.id,
  ]);
  await world.queryAsOwner(
    `insert into project_tag (deployment_id, project_id, tag) values ($1, $2, 'payments'), ($1, $3, 'web'),
       ($1, $3, 'payments')`,
    [place.id, projects[0], projects[1]],
  );
});
after(() => world.stop());

const orNull = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: null });
const PATHS = ['src/a.js', 'src/lib/b.js', 'srcs/a.js', 'src%', 'lib/_x.py', 'src/a.js\nb', '100%/x'];
const RULES = ['no-eval', 'no.eval', 'js.no-eval', 'aws'];
const CWES = ['CWE-79', 'CWE-79: Cross-site', 'CWE-798', 'CWE-8'];
const OWASPS = ['A03:2021 - Injection', 'A03', 'A01:2021'];
const ADVISORIES = ['CVE-2021-44228', 'GHSA-jfh8-c2jp-5v3q', 'cve-2020-0001'];

const row = (projectIds: readonly string[]) =>
  fc.record({
    project_id: fc.constantFrom(...projectIds),
    product: fc.constantFrom('sast', 'sca', 'secrets', 'ai_sast'),
    rule: fc.constantFrom(...RULES),
    severity: fc.integer({ min: 0, max: 4 }),
    confidence: fc.integer({ min: 1, max: 3 }),
    category: fc.constantFrom('xss', 'other', 'Injection'),
    cwes: fc.subarray(CWES),
    owasps: fc.subarray(OWASPS),
    path: fc.constantFrom(...PATHS),
    advisory: orNull(...ADVISORIES),
    transitivity: orNull('direct', 'transitive'),
    reachability: orNull('reachable', 'always reachable', 'unreachable'),
    secret_type: orNull('AWS', 'GitHub'),
    validation: orNull('confirmed_valid', 'validation_error'),
    state: fc.constantFrom('detected', 'elsewhere', 'fixed', 'removed'),
    is_muted: fc.boolean(),
    triage_state: fc.constantFrom('untriaged', 'reopened', 'reviewing', 'fixing', 'ignored', 'provisionally_ignored'),
    detail: fc.record(
      {
        epss: fc.record({ score: fc.constantFrom(0, 0.00004, 0.1, 0.1001, 0.5, 0.97) }),
        fixVersions: fc.constantFrom([], ['1.2.3']),
        isMalicious: fc.boolean(),
        advisories: fc.subarray(ADVISORIES),
        metadata: fc.record({ vulnerability_class: fc.constantFrom('Injection', ['XSS', 'Other']) }),
      },
      { requiredKeys: [] },
    ),
  });

const OPEN_VALUES: Partial<Record<AutomationConditionType, readonly string[]>> = {
  CONDITION_TYPE_REPOSITORY_TAG_ID: ['payments', 'web'],
  CONDITION_TYPE_POLICY: ['global-policy', 'Global Secrets Policy'],
  CONDITION_TYPE_PATH: ['src', 'src/', './src/a.js', '*.js', 'src/*', 'src%', '*_x*', '100%', '*'],
  CONDITION_TYPE_REF: ['main', 'refs/heads/main', 'fea*'],
  CONDITION_TYPE_CVE: ['CVE-2021-44228', 'CVE-2020-0001'],
  CONDITION_TYPE_VULNERABILITY_ID: ['ghsa-jfh8-c2jp-5v3q', 'CVE-2021-44228'],
  CONDITION_TYPE_SECRET_TYPE: ['aws', 'GitHub'],
  CONDITION_TYPE_AI_TAG: ['any'],
  CONDITION_TYPE_RULE_ID: ['no-eval', 'no*eval', '*.no-eval'],
  CONDITION_TYPE_RULESET_ID: ['p/default', 'secrets'],
  CONDITION_TYPE_WORKFLOW_ID: ['7'],
  CONDITION_TYPE_VULNERABILITY_CLASS: ['injection', 'XSS', 'other'],
  CONDITION_TYPE_CWE: ['CWE-79', 'CWE-8', 'CWE-798'],
  CONDITION_TYPE_OWASP: ['A03', 'A03:2021', 'A01'],
};
const types = AutomationConditionType.options.filter((type) => CONDITION_KINDS[type] !== undefined);
const valuesOf = (type: AutomationConditionType): readonly string[] =>
  type === 'CONDITION_TYPE_REPOSITORY_ID' ? projects : (OPEN_VALUES[type] ?? allowedValuesOf(type) ?? []);

const condition = (): fc.Arbitrary<AutomationCondition> =>
  fc.constantFrom(...types).chain((type) =>
    fc.record({
      type: fc.constant(type),
      mode: fc.constantFrom('MODE_ALL', 'MODE_ANY', 'MODE_NONE'),
      values: fc.subarray([...valuesOf(type)], { minLength: 1 }),
    }),
  );
const filtersArbitrary = (): fc.Arbitrary<AutomationFilters> =>
  fc.record({
    mode: fc.constantFrom('MODE_ALL', 'MODE_ANY', 'MODE_NONE'),
    conditions: fc.array(condition(), { minLength: 1, maxLength: 4 }),
  });

async function insertFindings(seed: number): Promise<void> {
  const scans = await ProjectScans.start(world, place);
  await scans.scan([]);
  const rows = fc.sample(row([...projects, scans.project]), { numRuns: FINDINGS, seed });
  await world.queryAsOwner(
    `insert into finding (deployment_id, project_id, product, tool, rule, title, message, severity, confidence,
       category, cwes, owasps, path, line, start_column, end_line, end_column, advisory, transitivity, reachability,
       secret_type, validation, detail, state, is_muted, triage_state, first_scan_id, first_seen_at, relevant_since)
     select $1, project_id, product, 'test', rule, 'title', 'message', severity, confidence, category, cwes, owasps,
       path, 1, 1, 1, 1, advisory, transitivity, reachability, secret_type, validation, detail, state, is_muted,
       triage_state, 1, now(), now()
     from jsonb_to_recordset($2::jsonb) as given (project_id bigint, product text, rule text, severity smallint,
       confidence smallint, category text, cwes text[], owasps text[], path text, advisory text, transitivity text,
       reachability text, secret_type text, validation text, detail jsonb, state text, is_muted boolean,
       triage_state text)`,
    [place.id, JSON.stringify(rows)],
  );
  // Every third finding is on a ref, so that conditions about refs have something to find.
  await world.queryAsOwner(
    `insert into detection (deployment_id, analysis_id, finding_id, state, evidence, is_muted, path, line, start_column,
       end_line, end_column, first_scan_id, detected_at, changed_at, changed_scan_id)
     select finding.deployment_id, analysis.id, finding.id, 'detected', 'new', false, finding.path, 1, 1, 1, 1, 1,
       now(), now(), 1
     from finding, analysis where finding.deployment_id = $1 and analysis.deployment_id = $1 and finding.id % 3 = 0`,
    [place.id],
  );
}

test('SQL and function agree for every condition, mode and finding', async (context) => {
  const seed = randomSeed(context);
  await insertFindings(seed);
  const source = sql`select ${factColumns(ALL_FACTS, true)} from finding where finding.deployment_id = ${place.id}`;
  const facts = await world.inDeployment(place, (tx) => tx.all(FindingFacts)`${source} order by finding.id`);
  assert.equal(facts.length, FINDINGS);
  const filters = fc.sample(filtersArbitrary(), { numRuns: FILTERS, seed });
  const covered = new Set(filters.flatMap(({ conditions }) => conditions.map(({ type }) => type)));
  assert.equal(covered.size, types.length, 'every type is among the samples');
  const trigger = 'TRIGGER_SOURCE_SCAN';
  let matched = 0;
  await world.inDeployment(place, async (tx) => {
    const references = await resolveReferences(tx, place.id, filters);
    for (const one of filters) {
      const rows = await tx.all(RowId)`
        select finding.id from (${source}) as finding
        where ${unprepared(filtersSql(one, references))} and ${statesSql(one, trigger)} order by finding.id`;
      const expected = facts.filter((fact) => filtersHold(one, fact, references) && stateIsMeant(one, trigger, fact));
      assert.deepEqual(
        rows.map(({ id }) => id),
        expected.map(({ id }) => id),
        JSON.stringify(one),
      );
      matched += rows.length;
    }
  });
  assert.ok(matched > 0 && matched < FINDINGS * FILTERS);
});

test('every type of condition that can be saved can be evaluated, and no other', () => {
  for (const type of AutomationConditionType.options) {
    const values =
      type === 'CONDITION_TYPE_REPOSITORY_ID' ? ['1'] : (OPEN_VALUES[type] ?? allowedValuesOf(type) ?? ['x']);
    const errors = validateFilters(
      { mode: 'MODE_ALL', conditions: [{ type, mode: 'MODE_ANY', values: values.slice(0, 1) }] },
      '#',
    );
    assert.equal(errors.length === 0, CONDITION_KINDS[type] !== undefined, type);
  }
});
