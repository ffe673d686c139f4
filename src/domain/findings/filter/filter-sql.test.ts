import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type pg from 'pg';
import { parseFilter } from '#domain/query/parse-filter.ts';
import { anonymousCaller, type Caller } from '#kernel/auth/caller.ts';
import { checkProperty, runsOf } from '#test/support/properties.ts';
import {
  type ModelFinding,
  type ModelOccurrence,
  type ModelProject,
  matchesFilter,
} from '#test/support/reports/finding-model.ts';
import { withOwner } from '#test/support/schema/catalogue.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import { countMatchingFindings } from '../metrics/overview-counts.ts';
import { compactTallies } from '../metrics/tally.ts';
import { FINDING_STATUSES, PRODUCTS } from '../shape.ts';
import { filterSql } from './filter-sql.ts';
import type { FindingCriteria, FindingFilter } from './finding-filter.ts';
import { findingListSql, NEWEST_FIRST, planFindingList } from './finding-list.ts';
import { filterOfQuery } from './query-filter.ts';
import type { TextMatch } from './text-match.ts';
import { resolveTextSearch } from './text-search.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const DAY_MS = 86_400_000;

const moment = fc.integer({ min: 1, max: 60 }).map((days) => NOW.getTime() - days * DAY_MS);
const later = moment.map((at) => 2 * NOW.getTime() - at);
const orNull = <Item>(item: fc.Arbitrary<Item>) => fc.option(item, { nil: null, freq: 1 });
const word = (...words: string[]) => fc.constantFrom(...words);

const aPlace: fc.Arbitrary<ModelOccurrence> = fc.record({
  ref: word('main', 'release/1', 'refs/pull/7/merge'),
  state: fc.constantFrom('detected', 'detected', 'fixed', 'removed'),
  isMuted: fc.boolean(),
  isOfFirstScan: fc.boolean(),
  changedAt: moment,
  scannedAt: moment,
});

const aFinding: fc.Arbitrary<ModelFinding> = fc.record({
  project: fc.integer({ min: 0, max: 3 }),
  product: word(...PRODUCTS),
  tool: word('semgrep', 'codeql'),
  rule: word('js.eval', 'js.exec', 'py.100%', 'py_x'),
  title: word('Evil code', 'SQL injection'),
  message: word('Do not do this.', '100% wrong_'),
  severity: fc.integer({ min: 0, max: 4 }),
  confidence: fc.integer({ min: 1, max: 3 }),
  category: word('security', 'style'),
  cwes: fc.subarray(['CWE-89', 'CWE-79: Cross-site', 'CWE-8']),
  owasps: fc.subarray(['A03:2021 - Injection', 'A01', 'API1:2023']),
  path: word('src/a.ts', 'src/lib/b_1.ts', 'test/a%.ts'),
  placeKind: word('file', 'endpoint', 'resource'),
  mode: word('monitor', 'comment', 'block'),
  advisory: orNull(word('CVE-2021-1', 'GHSA-x')),
  package: orNull(word('lodash', '@babel/core')),
  ecosystem: orNull(word('npm', 'Maven')),
  transitivity: orNull(word('direct', 'transitive')),
  reachability: orNull(word('reachable', 'always reachable', 'unreachable')),
  secretType: orNull(word('AWS', 'Slack')),
  validation: orNull(word('confirmed_valid', 'no_validator')),
  detail: fc.record(
    {
      advisories: fc.subarray(['CVE-2021-1', 'GHSA-x', 'OSV-1']),
      fix: word('fixed()'),
      fixVersions: fc.subarray(['2.0.0']),
      trace: fc.constant({}),
      isMalicious: fc.boolean(),
      epss: fc.record({ score: fc.constantFrom(0, 0.25, 0.5, 1) }),
    },
    { requiredKeys: [] },
  ),
  state: fc.constantFrom('detected', 'detected', 'detected', 'fixed', 'removed', 'elsewhere'),
  isMuted: fc.boolean(),
  isHeld: fc.boolean(),
  isFlapping: fc.boolean(),
  reopenedCount: fc.integer({ min: 0, max: 1 }),
  triageState: word('untriaged', 'untriaged', 'ignored', 'reopened', 'reviewing', 'fixing', 'provisionally_ignored'),
  triageReason: orNull(word('false_positive', 'no_time')),
  note: orNull(word('', 'a note')),
  triagedAt: orNull(moment),
  firstSeenAt: moment,
  relevantSince: moment,
  fixedAt: orNull(moment),
  doneAt: orNull(moment),
  until: orNull(later),
  exception: orNull(word('requested', 'approved', 'rejected')),
  places: fc.uniqueArray(aPlace, { minLength: 1, maxLength: 3, selector: ({ ref }) => ref }),
});

const some = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 3 });
const of = (...texts: string[]) => some(word(...texts));
const matching = (...texts: string[]): fc.Arbitrary<TextMatch[]> =>
  some(
    fc.oneof(
      word(...texts).map((value): TextMatch => ({ kind: 'exact', value })),
      word(...texts, '').chain((text) =>
        fc.nat(text.length).map((at): TextMatch => ({ kind: 'glob', parts: [text.slice(0, at), text.slice(at + 1)] })),
      ),
    ),
  );
const aPeriod = some(
  fc.record({ from: moment.map((at) => new Date(at)), to: moment.map((at) => new Date(at)) }, { requiredKeys: [] }),
);

/** Generators of the values of each filter member. */
const MEMBERS = {
  products: of(...PRODUCTS),
  is: some(
    fc.constantFrom(
      ...([...FINDING_STATUSES, 'reopened', 'new', 'flapping', 'held', 'muted', 'malicious', 'unseen'] as const),
      ...(['ignored_by_people', 'ignored_in_code'] as const),
    ),
  ),
  reasons: of('false_positive', 'no_time', 'no_triage_reason'),
  severities: some(fc.integer({ min: 0, max: 4 })),
  confidences: some(fc.integer({ min: 1, max: 3 })),
  rules: matching('js.eval', 'py.100%', 'py_x', 'js.'),
  categories: matching('security', 'style'),
  paths: matching('src/a.ts', 'src/lib/b_1.ts', 'test/a%.ts', 'src/'),
  endpoints: matching('src/a.ts', 'test/a%.ts', 'src/'),
  resources: matching('src/lib/b_1.ts', 'src/'),
  packages: matching('lodash', '@babel/core'),
  advisories: matching('CVE-2021-1', 'OSV-1'),
  tools: matching('semgrep'),
  refs: matching('main', 'release/1', 'refs/pull/7/merge'),
  projects: matching('acme/shop', 'ACME/bank', 'acme/'),
  tags: matching('legacy', 'PCI'),
  teams: matching('Payments', 'payments', 'nobody'),
  cwes: of('CWE-89', 'CWE-79', 'CWE-8'),
  owasps: of('A03', 'A03:2021', 'A01', 'API1'),
  ecosystems: of('npm', 'maven'),
  modes: of('monitor', 'block'),
  reachabilities: of('reachable', 'always_reachable', 'no_reachability_analysis'),
  transitivities: of('direct', 'unknown'),
  validations: of('confirmed_valid', 'no_validator'),
  secretTypes: of('AWS'),
  epss: some(fc.record({ from: fc.constant(0.25), below: fc.constant(1), isNone: fc.boolean() }, { requiredKeys: [] })),
  has: some(fc.constantFrom('fix', 'ticket', 'note', 'trace')),
  relevantSince: aPeriod,
  firstSeen: aPeriod,
  lastSeen: aPeriod,
  triaged: aPeriod,
  fixed: aPeriod,
  ignored: aPeriod,
  openAt: some(moment.map((at) => new Date(at))),
  decisionEnds: some(fc.record({ from: fc.constant(NOW), to: later.map((at) => new Date(at)) })),
  exceptions: of('requested', 'approved'),
  text: of('evil', '100%', 'g_', 'SQL'),
  isMalicious: fc.boolean(),
  isImpossible: fc.constant(false),
};

const someCriteria: fc.Arbitrary<FindingCriteria> = fc
  .record(MEMBERS, { requiredKeys: [] })
  // Few members at a time: all of them together match nothing.
  .chain((criteria) =>
    fc
      .subarray(Object.keys(criteria) as (keyof FindingCriteria)[], { maxLength: 3 })
      .map((names) => pick(criteria, names)),
  );

const pick = (criteria: FindingCriteria, names: readonly (keyof FindingCriteria)[]): FindingCriteria =>
  Object.fromEntries(names.map((name) => [name, criteria[name]]));

const aFilter: fc.Arbitrary<FindingFilter> = fc
  .record({
    own: someCriteria,
    more: fc.record(
      {
        and: fc.array(someCriteria, { maxLength: 1 }),
        without: fc.array(
          someCriteria.filter((criteria) => Object.keys(criteria).length > 0),
          { maxLength: 2 },
        ),
        isArchived: fc.boolean(),
        isAnywhere: fc.boolean(),
        isByRef: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ own, more }) => ({ ...own, ...more }));

let world: World;
let place: TestDeployment;
let clerk: TestUser;
let findings: { id: string; model: ModelFinding }[];

const PROJECTS: ModelProject[] = [
  {
    name: 'acme/shop',
    tags: ['legacy'],
    teams: [{ name: 'Payments', slug: 'payments' }],
    isArchived: false,
    isVisible: true,
  },
  { name: 'acme/Bank', tags: ['pci'], teams: [], isArchived: false, isVisible: false },
  { name: 'acme/old', tags: [], teams: [{ name: 'Payments', slug: 'payments' }], isArchived: true, isVisible: true },
  {
    name: 'other_one',
    tags: ['pci', 'legacy'],
    teams: [{ name: 'Payments', slug: 'payments' }],
    isArchived: false,
    isVisible: true,
  },
];

/** Rows are inserted directly, bypassing the tracker, so that any combination of values can occur. */
async function write(client: pg.Client, projects: string[]): Promise<void> {
  const d = place.id;
  const one = async (text: string, values: unknown[]) =>
    (await client.query<{ id: string }>(text, values)).rows[0]?.id ?? '';
  const branches = new Map<string, string>();
  for (const project of projects)
    for (const ref of ['main', 'release/1', 'refs/pull/7/merge'])
      branches.set(
        `${project} ${ref}`,
        await one('insert into project_ref (deployment_id, project_id, ref) values ($1, $2, $3) returning id', [
          d,
          project,
          ref,
        ]),
      );
  for (const { id, model } of findings) {
    const project = projects[model.project] ?? '';
    const scan = await one(
      `insert into scan (deployment_id, project_id, source, format, tool, analysis_key, mode, status, products,
         environment, started_by)
       values ($1, $2, 'cli', 'x', 'x', 'x', 'full', 'completed', '{}', 'x', 'x') returning id`,
      [d, project],
    );
    const at = (ms: number | null) => (ms === null ? null : new Date(ms));
    await client.query(
      `insert into finding (deployment_id, id, project_id, product, tool, rule, title, message, severity, confidence,
         category, cwes, owasps, path, line, start_column, end_line, end_column, mode, advisory, package, ecosystem,
         transitivity, reachability, secret_type, validation, detail, state, is_muted, is_held, is_flapping,
         first_scan_id, first_seen_at, relevant_since, fixed_at, reopened_count, triage_state, triage_reason,
         triage_note, triaged_at, triage_until, place_kind)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 1, 1, 1, 1, $15, $16, $17, $18, $19, $20,
         $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38)`,
      [
        ...[d, id, project, model.product, model.tool, model.rule, model.title, model.message, model.severity],
        ...[model.confidence, model.category, model.cwes, model.owasps, model.path, model.mode, model.advisory],
        ...[model.package, model.ecosystem, model.transitivity, model.reachability, model.secretType, model.validation],
        ...[JSON.stringify(model.detail), model.state, model.isMuted, model.isHeld, model.isFlapping, scan],
        ...[at(model.firstSeenAt), at(model.relevantSince), at(model.fixedAt), model.reopenedCount, model.triageState],
        ...[model.triageReason, model.note, at(model.triagedAt), at(model.until), model.placeKind],
      ],
    );
    if (model.doneAt !== null)
      for (const reader of ['account:', `account:${clerk.id}`])
        await client.query('insert into inbox_done values ($1, $2, $3, $4)', [d, reader, id, at(model.doneAt)]);
    if (model.exception !== null)
      await client.query(
        `insert into exception_request (deployment_id, finding_id, state, source, requester, requester_name, note,
           created_at)
         values ($1, $2, $3, 'api', 'dev', 'Dev', '', now())`,
        [d, id, model.exception],
      );
    for (const one of model.places)
      await client.query(
        `with made as (insert into analysis (deployment_id, project_id, ref_id, key, last_scan_id, last_scanned_at)
           values ($1, $2, $3, $4, $5, $6) returning id)
         insert into detection (deployment_id, analysis_id, finding_id, state, evidence, is_muted, path, line,
           start_column, end_line, end_column, first_scan_id, detected_at, changed_at, changed_scan_id)
         select $1, made.id, $7, $8, 'x', $9, 'p', 1, 1, 1, 1, $10, $11, $11, $10 from made`,
        [
          ...[d, project, branches.get(`${project} ${one.ref}`), `key of ${id}`, one.isOfFirstScan ? scan : null],
          ...[at(one.scannedAt), id, one.state, one.isMuted, scan, at(one.changedAt)],
        ],
      );
  }
}

before(async () => {
  world = await World.start();
  place = await world.deployment('Filter Works');
  clerk = await world.memberWithoutTeam(place);
  const projects: string[] = [];
  for (const { name } of PROJECTS) projects.push(await world.project(place, name));
  await world.queryAsOwner(`update project set archived_at = now() where id = $1`, [projects[2]]);
  await world.queryAsOwner(`delete from team_project where deployment_id = $1`, [place.id]);
  const [team] = await world.queryAsOwner<{ id: string }>(
    `insert into team (deployment_id, name, name_key, slug) values ($1, 'Payments', 'payments', 'payments')
     returning id`,
    [place.id],
  );
  await world.queryAsOwner(`insert into team_member values ($1, $2, $3, 'TEAM_ROLE_MEMBER')`, [
    place.id,
    team?.id,
    clerk.id,
  ]);
  for (const [index, { tags, teams }] of PROJECTS.entries()) {
    for (const tag of tags) {
      await world.queryAsOwner(
        `insert into deployment_tag (deployment_id, tag) values ($1, $2) on conflict do nothing`,
        [place.id, tag],
      );
      await world.queryAsOwner(`insert into project_tag values ($1, $2, $3)`, [place.id, projects[index], tag]);
    }
    if (teams.length > 0)
      await world.queryAsOwner(`insert into team_project values ($1, $2, $3)`, [place.id, team?.id, projects[index]]);
  }
  const models = fc.sample(aFinding, { numRuns: 160, seed: 77 });
  findings = models.map((model, index) => ({ id: String(900_000 + index), model }));
  await withOwner(world.database.connection, (client) => write(client, projects));
});
after(() => world.stop());

const asAdmin = (): Caller => ({ ...anonymousCaller, kind: 'user', deployment: place.id, seesEverything: true });
const asClerk = (): Caller => ({ ...anonymousCaller, kind: 'user', deployment: place.id, userId: clerk.id });

function expected(filter: FindingFilter, caller: Caller): string[] {
  return findings
    .filter(({ id, model }) => {
      const project = PROJECTS[model.project] ?? assert.fail();
      return matchesFilter(filter, model, {
        id,
        project: { ...project, isVisible: caller.seesEverything || project.isVisible },
      });
    })
    .map(({ id }) => id);
}

const inOrder = (ids: readonly string[]) => {
  const since = new Map(findings.map(({ id, model }) => [id, model.relevantSince]));
  return [...ids].sort((one, other) => (since.get(other) ?? 0) - (since.get(one) ?? 0) || Number(other) - Number(one));
};

async function found(filter: FindingFilter, caller: Caller): Promise<{ listed: string[]; matched: string[] }> {
  const context = { caller, now: NOW };
  return world.inDeployment(place, async (tx) => {
    const request = { filter, order: NEWEST_FIRST, after: null, limit: 1000 };
    const listed = await tx.rows`${findingListSql(request, await planFindingList(tx, context, filter))}`;
    const matched = await tx.rows`select id from finding where ${filterSql(filter, context)} order by id`;
    const resolved = await resolveTextSearch(tx, filter);
    const again = await tx.rows`select id from finding where ${filterSql(resolved, context)} order by id`;
    assert.deepEqual(again, matched, `words of ${JSON.stringify(filter)}`);
    assert.equal(
      await countMatchingFindings(tx, context, resolved),
      matched.length,
      `tally of ${JSON.stringify(filter)}`,
    );
    return { listed: listed.map((row) => String(row['id'])), matched: matched.map((row) => String(row['id'])) };
  });
}

describe('the finding filter', () => {
  test('matches by each member, and with `without` everything else', async () => {
    for (const [name, values] of Object.entries(MEMBERS)) {
      const samples = fc.sample<unknown>(values, { numRuns: runsOf({ full: 10, quick: 4 }), seed: 9 });
      for (const value of samples) {
        const criteria = { [name]: value } as FindingCriteria;
        for (const filter of [
          { ...criteria, isAnywhere: true },
          { without: [criteria], isAnywhere: true },
          criteria,
          { without: [criteria] },
        ])
          assert.deepEqual(
            (await found(filter, asAdmin())).matched,
            expected(filter, asAdmin()),
            JSON.stringify(filter),
          );
      }
    }
  });

  test('lists matches in order, for administrators and for members of teams (AZN-08)', async (context) => {
    let hitCount = 0;
    await checkProperty(
      context,
      fc.asyncProperty(aFilter, async (filter) => {
        for (const caller of [asAdmin(), asClerk()]) {
          const { listed, matched } = await found(filter, caller);
          const matching = expected(filter, caller);
          hitCount += matching.length;
          assert.deepEqual(matched, matching);
          assert.deepEqual(listed, inOrder(matching));
        }
      }),
      { full: 80, quick: 16, seed: 4 },
    );
    assert.ok(hitCount > runsOf({ full: 300, quick: 30 }), `only ${hitCount} hits make no test`);
  });

  test('parsed from text matches the same findings as its structure', async (context) => {
    const terms = [
      ...[
        'is:open',
        'is:fixed,ignored',
        '-is:ignored',
        'is:reopened',
        'is:removed',
        'severity:>=high',
        '-severity:low',
      ],
      ...['type:code', 'project:acme/*', '-tag:legacy', 'owner:@payments', 'branch:main', 'path:src/*.ts', 'rule:js.*'],
      ...['age:>30d', 'age:<20d', 'triaged:>-30d', 'seen:<-10d', 'cwe:89', 'owasp:a03', 'has:note', '-has:fix'],
      ...[
        '"100%"',
        '-"evil"',
        'reachability:unknown',
        'validity:valid',
        'reason:no-reason',
        'mode:block',
        'epss:>=0.25',
      ],
      ...['package:@babel/*', 'advisory:cve-2021-1', 'confidence:high', 'transitivity:direct', 'ecosystem:NPM'],
      ...['exception:requested', '-exception:approved', 'expires:<14d', 'expires:>30d', '-expires:10d..40d'],
    ];
    await checkProperty(
      context,
      fc.asyncProperty(fc.subarray(terms, { minLength: 1, maxLength: 4 }), async (words) => {
        const { query, problems } = parseFilter(words.join(' '));
        assert.deepEqual(problems, []);
        const filter = filterOfQuery(query, NOW);
        const { matched } = await found(filter, asAdmin());
        assert.deepEqual(matched, expected(filter, asAdmin()));
      }),
      { full: 100, quick: 20, seed: 5 },
    );
  });

  test('returns the same list for every page size', async () => {
    const context = { caller: asAdmin(), now: NOW };
    for (const by of ['relevance', 'severity'] as const)
      for (const isDescending of [true, false]) {
        const read = (after: string[] | null, limit: number) =>
          world.inDeployment(place, async (tx) => {
            const request = { filter: {}, order: { by, isDescending }, after, limit };
            return tx.rows`${findingListSql(request, await planFindingList(tx, context, {}))}`;
          });
        const whole = await read(null, 1000);
        const walked: unknown[] = [];
        for (
          let after: string[] | null = null, page = await read(null, 7);
          page.length > 0;
          page = await read(after, 7)
        ) {
          walked.push(...page);
          after = ['severity', 'relevant_since', 'id'].map((name) => String(page.at(-1)?.[name]));
        }
        assert.deepEqual(walked, whole);
      }
  });

  test('has equal counts in tallies and findings after each change, before and after compaction', async () => {
    const agree = async () => {
      for (const filter of FINDING_STATUSES.map((status): FindingFilter => ({ is: [status] })))
        await found(filter, asAdmin());
      const hours = `select coalesce(sum(count) filter (where not is_end), 0)::int as came,
        coalesce(sum(count) filter (where is_end), 0)::int as went from finding_hour where deployment_id = $1`;
      const moments = `select count(*)::int as came, (count(*) filter (where status <> 'open' and
        (status <> 'fixed' or fixed_at is not null)))::int as went from finding where deployment_id = $1`;
      assert.deepEqual(await world.queryAsOwner(hours, [place.id]), await world.queryAsOwner(moments, [place.id]));
    };
    const change = async (statement: string) => {
      await world.queryAsOwner(`${statement} where deployment_id = $1 and id % 3 = 0`, [place.id]);
      await agree();
      await compactTallies(world.assembly.db);
      await agree();
    };
    await change(`update finding set triage_state = 'ignored', triage_reason = 'no_time', triaged_at = now()`);
    await change(`update finding set rule = rule || '.renamed', path = 'other/' || path, title = 'Renamed'`);
    await change('delete from finding');
    const unfolded = 'select id from finding_tally where deployment_id = $1 and (not is_compacted or count <= 0)';
    assert.deepEqual(await world.queryAsOwner(unfolded, [place.id]), []);
  });
});
