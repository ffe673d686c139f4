import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import * as issues from '#services/issues/list/contract.ts';
import { type TestDeployment, type TestUser, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

const DAY_MS = 24 * 3600 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

let world: World;
let place: TestDeployment;
let member: TestUser;
let shop: string;
before(async () => {
  world = await World.start();
  place = await world.deployment();
  shop = await world.project(place, 'acme/my shop');
  await plant(place, shop, 90);
  await plant(place, await world.project(place, 'acme/Other'), 60);
  await plant(place, await archived(), 20);
  await raise(place);
  member = await world.memberWithoutTeam(place);
  await world.inDeployment(place, async (tx) => {
    const team = (await teams.insert(tx, { deployment: place.id, name: uniqueName('Team '), parent: undefined })) ?? '';
    await members.addMembers(tx, { deployment: place.id, team }, [{ account: member.id, role: 'TEAM_ROLE_MEMBER' }]);
    await members.addProjects(tx, { deployment: place.id, team }, [shop]);
  });
});
after(() => world.stop());

async function archived(): Promise<string> {
  const project = await world.project(place, 'acme/old');
  await world.queryAsOwner('update project set archived_at = now() where id = $1', [project]);
  return project;
}

/** Findings in every state over a hundred days, on the primary ref. */
async function plant(where: TestDeployment, project: string, count: number): Promise<void> {
  await world.queryAsOwner("update project set default_branch = 'main' where id = $1", [project]);
  await world.queryAsOwner(
    `with branch as (
       insert into project_ref (deployment_id, project_id, ref, kind) values ($1, $2, 'main', 'branch') returning id
     ), made as (
       insert into analysis (deployment_id, project_id, ref_id, key) select $1, $2, id, 'a' from branch returning id
     ), found as (
       insert into finding (deployment_id, project_id, product, tool, rule, title, message, severity, confidence,
         category, cwes, owasps, path, line, start_column, end_line, end_column, state, first_scan_id, first_seen_at,
         relevant_since, fixed_at, triage_state, triaged_at, is_muted)
       select $1, $2, (array['sast', 'sca', 'secrets'])[1 + n % 3], 't', 'rule,' || n % 7, 'Title ' || n, 'm', n % 5, 1,
         'c', '{}', '{}', 'a.ts', n, 1, n, 1,
         (array['detected', 'detected', 'fixed', 'removed', 'elsewhere', 'detected'])[1 + n % 6], 1,
         now() - n % 97 * interval '25 hours', now() - n % 97 * interval '25 hours',
         case when n % 6 = 2 then now() - n % 97 * interval '11 hours' end,
         (array['untriaged', 'ignored', 'reviewing', 'untriaged'])[1 + n % 4],
         case when n % 4 in (1, 2) then now() - n % 97 * interval '9 hours' end, n % 11 = 0
       from generate_series(1, $3) as n returning id, state, first_seen_at
     )
     insert into detection (deployment_id, analysis_id, finding_id, state, evidence, is_muted, path, line, start_column,
       end_line, end_column, first_scan_id, detected_at, changed_at, changed_scan_id)
     select $1, made.id, found.id, case found.state when 'fixed' then 'fixed' when 'removed' then 'removed'
       else 'detected' end, 'x', false, 'a.ts', 1, 1, 1, 1, 1, found.first_seen_at, found.first_seen_at, 1
     from made, found`,
    [where.id, project, count],
  );
}

/** Every third finding appeared on a pull request, including those of archived projects. */
async function raise(where: TestDeployment): Promise<void> {
  await world.queryAsOwner(
    `insert into guardrail_episode (deployment_id, project_id, issue_key, number, rule_id, category, finding_type,
       severity, confidence, reachability, validity, ai_verdict, deployment_status, public_exposure, is_eligible,
       started_at)
     select deployment_id, project_id, 'finding:' || id, 1, rule, category, 'FINDING_TYPE_CODE',
       'FINDING_SEVERITY_LOW', 'x', 'x', 'x', 'x', 'x', 'x', true, now() - interval '3 days'
     from finding where deployment_id = $1 and id % 3 = 0`,
    [where.id],
  );
}

type Body = Parameters<ReturnType<typeof client>['getOverview']>[0]['body'];
const client = (token: string) => world.as(contract, token);

async function overview(body: Body, token = place.admin.jwt) {
  const reply = await client(token).getOverview({ path: { deploymentId: place.id }, body });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

/** Counts the issues in the list of a filter, page by page. */
async function total(q: string, token = place.admin.jwt): Promise<number> {
  let count = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { status, body, text } = await world.as(issues, token).listIssues({
      path: { deploymentId: place.id },
      body: { q, limit: 1000, cursor },
    });
    assert.equal(status, 200, text);
    count += body.issues.length;
    cursor = body.cursor === '' ? undefined : body.cursor;
  }
  return count;
}

const marksOf = <Name extends string>(
  bucket: Record<Name, number> & { q: Record<Name, string> },
  names: readonly Name[],
) => names.map((name) => ({ value: bucket[name], q: bucket.q[name] }));

describe('the overview', () => {
  test('every number agrees with the list of its filter, for every filter and caller', async () => {
    const totals = new Map<string, Promise<number>>();
    const prove = async (token: string, { q, days }: { q?: string; days: [since: number, until?: number] }) => {
      const [since, until] = days;
      const body = {
        bucket: 'BUCKET_WEEK' as const,
        since: daysAgo(since),
        ...(until && { until: daysAgo(until) }),
        ...(q !== undefined && { q }),
      };
      const { numbers, worstProjects, noisiestRules, backlog, netChange } = await overview(body, token);
      const { open, openPriority, opened, fixed } = numbers;
      const listed = [...worstProjects, ...noisiestRules].map((one) => ({ value: one.count, q: one.q }));
      const ignored = noisiestRules.map((one) => ({ value: one.ignored, q: one.ignoredQ }));
      const marks = [
        ...backlog.flatMap((one) => marksOf(one, ['critical', 'high', 'medium', 'low'])),
        ...netChange.flatMap((one) => marksOf(one, ['opened', 'fixed', 'ignored'])),
      ];
      for (const { value, q: link } of [open, openPriority, opened, fixed, ...listed, ...ignored, ...marks]) {
        const key = `${token} ${link}`;
        totals.set(key, totals.get(key) ?? total(link, token));
        assert.equal(await totals.get(key), value, `${link} since ${since} until ${until}`);
      }
    };
    await prove(place.admin.jwt, { days: [30] });
    await prove(place.admin.jwt, { days: [60, 20] });
    await prove(place.admin.jwt, { days: [400, 300] });
    await prove(place.admin.jwt, { q: '-type:code severity:>=medium project:acme/*', days: [60, 20] });
    await prove(place.admin.jwt, { q: 'is:open', days: [30] });
    await prove(place.admin.jwt, { q: 'branch:main', days: [60, 20] });
    await prove(place.admin.jwt, { q: 'branch:main is:open,fixed', days: [60] });
    await prove(place.admin.jwt, { q: 'raised:>=2026-01-01', days: [60] });
    await prove(member.jwt, { days: [60, 20] });
    await prove(member.jwt, { q: 'rule:"rule,3"', days: [30] });
  });

  test('the backlog ends with the open findings and changes by what was opened and closed', async () => {
    for (const bucket of ['BUCKET_DAY', 'BUCKET_WEEK', 'BUCKET_MONTH'] as const) {
      const { backlog, netChange, numbers } = await overview({ since: daysAgo(120), bucket });
      const levels = backlog.map(({ critical, high, medium, low }) => critical + high + medium + low);
      assert.equal(levels.at(-1), numbers.open.value);
      assert.equal(backlog.length, netChange.length);
      const sum = (name: 'opened' | 'fixed') => netChange.reduce((all, one) => all + one[name], 0);
      assert.deepEqual([sum('opened'), sum('fixed')], [numbers.opened.value, numbers.fixed.value]);
      for (const [index, { start }] of backlog.slice(1).entries()) assert.equal(start, backlog[index]?.end);
    }
  });

  test('lists the worst projects, the oldest critical findings and the median age', async () => {
    const { worstProjects, oldestCritical, numbers, noisiestRules } = await overview({ since: daysAgo(30) });
    assert.deepEqual(
      worstProjects.map(({ name }) => name),
      ['acme/my shop', 'acme/Other'],
    );
    const rows = await world.queryAsOwner<{ id: string; median: string }>(
      `select finding.id from finding join project on project.id = project_id where status = 'open' and severity = 4
         and archived_at is null order by first_seen_at, finding.id limit 10`,
    );
    assert.deepEqual(
      oldestCritical.map(({ issueId }) => issueId),
      rows.map(({ id }) => id),
    );
    const [age] = await world.queryAsOwner<{ days: number }>(
      `select extract(epoch from now() - percentile_disc(0.5) within group (order by first_seen_at))::float8 / 86400
         as days from finding join project on project.id = project_id where status = 'open' and archived_at is null`,
    );
    assert.ok(Math.abs(numbers.medianAgeDays.value - (age?.days ?? 0)) < 0.2);
    assert.ok(noisiestRules.length === 7 && noisiestRules.every(({ count, ignored }) => ignored <= count));
    assert.equal(numbers.fixedBeforeMergePercent.value, undefined);
  });

  test('lists failed scans and silent projects', async () => {
    const where = await world.deployment();
    const ask = async () =>
      (await client(where.admin.jwt).getOverview({ path: { deploymentId: where.id }, body: { since: daysAgo(7) } }))
        .body;
    assert.deepEqual((await ask()).broken, []);
    const [failed, silent, fine] = [
      await world.project(where, 'acme/failed one'),
      await world.project(where, 'acme/silent'),
      await world.project(where, 'acme/fine'),
    ];
    const scan = (project: string, status: string, age: string) =>
      world.queryAsOwner(
        `insert into scan (deployment_id, project_id, source, format, tool, analysis_key, mode, status, products,
           environment, started_by, started_at) values ($1, $2, 'cli', 'x', 'x', 'x', 'full', $3, '{}', 'x', 'x',
           now() - $4::interval)`,
        [where.id, project, status, age],
      );
    await scan(failed, 'completed', '2 days');
    await scan(failed, 'error', '1 day');
    await scan(fine, 'error', '2 days');
    await scan(fine, 'completed', '1 day');
    await world.queryAsOwner("update project set latest_scan_at = now() - interval '31 days' where id = $1", [silent]);
    const { broken } = await ask();
    assert.deepEqual(
      broken.map(({ kind }) => kind),
      ['SCAN_FAILED', 'PROJECT_SILENT'],
    );
    assert.match(broken[0]?.text ?? '', /^The last scan of acme\/failed one failed on \d{4}-\d\d-\d\d\.$/);
    assert.equal(broken[0]?.href, `/o/${where.slug}/projects/acme%2Ffailed%20one/scans`);
  });

  test('refuses an empty period and an invalid filter', async () => {
    const refused = async (body: Body) =>
      (await client(place.admin.jwt).getOverview({ path: { deploymentId: place.id }, body })).problem.code;
    assert.equal(await refused({ since: daysAgo(-2) }), 'PERIOD_REFUSED');
    assert.equal(await refused({ since: daysAgo(800) }), 'PERIOD_REFUSED');
    assert.equal(await refused({ since: daysAgo(8), q: 'nonsense:1' }), 'INVALID_QUERY');
  });
});
