import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import type { ReportedFinding } from '#domain/reports/report-items.ts';
import { ProjectScans, type ScanOptions, scanText } from '#test/support/factories/project-scans.ts';
import { checkProperty } from '#test/support/properties.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

let world: World;
let place: TestDeployment;
let owner: pg.Client;
before(async () => {
  world = await World.start();
  place = await world.deployment();
  owner = new pg.Client(world.database.connection);
  await owner.connect();
});
after(async () => {
  await owner.end();
  await world.stop();
});

const look = async (text: string, project: string, ...more: string[]) =>
  (await owner.query<Record<string, string>>(text, [project, ...more])).rows;

const RULES = ['eval', 'exec', 'open'];
const LINES = ['eval(a)', 'eval(a)', 'eval(b)', 'exec(a)', 'open(eval(x))', 'plain(1)', 'plain(2)', 'return', ''];
const PATHS = ['a.js', 'lib/b.js', 'lib/c.js'];

type Repository = ReadonlyMap<string, readonly string[]>;
interface Edit {
  edit: 'insert' | 'change' | 'delete' | 'move' | 'rename' | 'drop' | 'add';
  file: number;
  at: number;
  to: number;
  line: string;
  lines: string[];
}

const line = fc.constantFrom(...LINES);
const lines = fc.array(line, { minLength: 1, maxLength: 6 });
const position = fc.nat(8);
const edits: fc.Arbitrary<Edit> = fc.record({
  edit: fc.constantFrom('insert', 'change', 'delete', 'move', 'rename', 'drop', 'add'),
  file: fc.nat(5),
  at: position,
  to: position,
  line,
  lines,
});

let serial = 0;

/** The repository after an edit; an edit without a valid target changes nothing. */
function edited(repository: Repository, one: Edit): Repository {
  const next = new Map(repository);
  if (one.edit === 'add') return next.set(`new${++serial}.js`, one.lines);
  const path = [...repository.keys()][one.file % Math.max(1, repository.size)];
  const old = repository.get(path ?? '');
  if (path === undefined || old === undefined) return next;
  if (one.edit === 'rename' || one.edit === 'drop') {
    next.delete(path);
    return one.edit === 'drop' ? next : next.set(`moved${++serial}.js`, old);
  }
  const where = one.at % Math.max(1, old.length);
  if (one.edit === 'insert') return next.set(path, old.toSpliced(where, 0, one.line));
  if (one.edit === 'change') return next.set(path, old.toSpliced(where, 1, one.line));
  const without = old.toSpliced(where, 1);
  if (one.edit === 'delete') return next.set(path, without);
  return next.set(path, without.toSpliced(one.to % Math.max(1, old.length), 0, old[where] ?? ''));
}

type Kind = 'full' | 'partial' | 'diff' | 'failed' | 'fewer rules';

interface Scan {
  kind: Kind;
  ref: string;
  tool: string;
}

const kinds: Kind[] = ['full', 'full', 'full', 'full', 'partial', 'diff', 'failed', 'fewer rules'];
const scans = fc.record({
  kind: fc.constantFrom(...kinds),
  ref: fc.constantFrom('main', 'main', 'main', 'feature', 'refs/pull/3/merge'),
  tool: fc.constantFrom('checker', 'checker', 'other'),
});

const hitsOf = (repository: Repository, rules: readonly string[]) =>
  [...repository].flatMap(([path, text]) => scanText(path, text.join('\n'), rules));

/** The report of a scan, with its coverage. */
function reportOf(repository: Repository, { kind, ref, tool }: Scan): [ReportedFinding[], ScanOptions] {
  const rules = kind === 'fewer rules' ? RULES.slice(1) : RULES;
  const all = [...repository.keys()];
  const searched = kind === 'partial' ? all.slice(0, 1) : all;
  const seen = new Map([...repository].filter(([path]) => searched.includes(path)));
  const hits = hitsOf(seen, rules);
  const options: ScanOptions = {
    ref,
    tool,
    mode: kind === 'partial' || kind === 'diff' ? kind : 'full',
    isExactAboutRules: true,
    coverage: { rulesRun: rules, pathsSearched: searched, ...(kind === 'failed' && { isIncomplete: true }) },
  };
  return [kind === 'failed' || kind === 'diff' ? hits.slice(0, 2) : hits, options];
}

const countsOf = (rows: Iterable<{ rule?: string; path?: string }>) => {
  const counts: Record<string, number> = {};
  for (const { rule, path } of rows) counts[`${rule} ${path}`] = (counts[`${rule} ${path}`] ?? 0) + 1;
  return counts;
};

const detectedBy = (project: string, { ref, tool }: Scan) =>
  look(
    `select finding.rule, detection.path from detection
     join analysis on analysis.id = analysis_id join project_ref on project_ref.id = ref_id
     join finding on finding.id = finding_id
     where analysis.project_id = $1 and ref = $2 and analysis.key = $3 and detection.state = 'detected'`,
    project,
    ref,
    tool,
  );

const decisionsOf = (project: string) =>
  look(
    `select id, triage_state, triage_reason, triage_note, triaged_at from finding
     where project_id = $1 and triaged_by = 'somebody' order by id`,
    project,
  );

const decideSome = (project: string) =>
  look(
    `update finding set triage_state = 'ignored', triage_reason = 'false_positive', triage_note = 'n' || id,
       triaged_by = 'somebody', triaged_at = now() where project_id = $1 and id % 2 = 0 and triaged_by is null`,
    project,
  );

/** The tracked state of a project's findings, with their versions. */
const stateOf = (project: string) =>
  look(
    `select finding.id, rule, finding.path, finding.line, status, state, version, (select count(*) from finding_event
       where finding_id = finding.id) as events,
       (select string_agg(detection.state || detection.path || detection.line, ',' order by analysis_id) from detection
        where finding_id = finding.id) as detections
     from finding where project_id = $1 order by id`,
    project,
  );

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item, index) => [(index * 7919) % 101, item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);

const QUIET = { opened: 0, fixed: 0, reopened: 0, removed: 0, moved: 0, held: 0 };

async function step(scanning: ProjectScans, repository: Repository, scan: Scan): Promise<void> {
  const { project } = scanning;
  const [hits, options] = reportOf(repository, scan);
  const decided = await decisionsOf(project);
  await scanning.scan(hits, options);
  assert.deepEqual(await decisionsOf(project), decided, 'a scan changed what people decided');
  if (scan.kind === 'full')
    assert.deepEqual(countsOf(await detectedBy(project, scan)), countsOf(hits), 'a finding is lost or doubled');
  const before = await stateOf(project);
  const { opened, fixed, reopened, removed, moved, held } = await scanning.scan(shuffled(hits), options);
  assert.deepEqual({ opened, fixed, reopened, removed, moved, held }, QUIET, 'the same scan again is no news');
  assert.deepEqual(await stateOf(project), before, 'the same scan again changed something');
  await decideSome(project);
}

const steps = fc.array(fc.record({ edits: fc.array(edits, { maxLength: 3 }), scan: scans }), {
  minLength: 1,
  maxLength: 4,
});
const start = fc.tuple(lines, lines, lines);
const repositoryOf = (texts: string[][]): Repository => new Map(PATHS.map((path, index) => [path, texts[index] ?? []]));
const FIRST: Scan = { kind: 'full', ref: 'main', tool: 'checker' };

test('after any edits and scans no finding is lost, duplicated, or triaged by a scan', async (context) => {
  await checkProperty(
    context,
    fc.asyncProperty(start, steps, async (texts, all) => {
      const scanning = await ProjectScans.start(world, place);
      let repository = repositoryOf(texts);
      await step(scanning, repository, FIRST);
      for (const { edits: several, scan } of all) {
        for (const one of several) repository = edited(repository, one);
        await step(scanning, repository, scan);
      }
    }),
    { full: 25, quick: 4, seed: 7 },
  );
});

const endOf = ({ project }: ProjectScans) =>
  look(
    `select rule, path, line, tool, status, (select string_agg(kind, ',' order by id) from finding_event
       where finding_id = finding.id) as events
     from finding where project_id = $1 order by rule, path, line, tool, status, events`,
    project,
  );

test('concurrent scans have the same result as sequential ones', async (context) => {
  await checkProperty(
    context,
    fc.asyncProperty(start, fc.array(scans, { minLength: 2, maxLength: 5 }), async (texts, all) => {
      const repository = repositoryOf(texts);
      const full = all.map((scan) => reportOf(repository, { ...scan, kind: 'full' }));
      const [oneByOne, together] = [await ProjectScans.start(world, place), await ProjectScans.start(world, place)];
      for (const scanning of [oneByOne, together]) await scanning.scan(...reportOf(repository, FIRST));
      for (const [hits, options] of full) await oneByOne.scan(hits, options);
      await Promise.all(full.map(([hits, options]) => together.scan(hits, options)));
      assert.deepEqual(await endOf(together), await endOf(oneByOne));
    }),
    { full: 10, quick: 2, seed: 7 },
  );
});
