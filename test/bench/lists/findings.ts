import assert from 'node:assert/strict';
import { generateKeySync } from 'node:crypto';
import { listFindingPage, NEWEST_FIRST } from '#domain/findings/filter/finding-list.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { Page as Paging } from '#kernel/db/query/page.ts';
import { allFindingsSnapshot } from '#services/issues/all-findings/merged-list.ts';
import { findingFilterOf } from '#services/issues/list/filter-mapping.ts';
import { listIssuesJson } from '#services/issues/list/store.ts';
import type { Bench, Figure } from '../figure.ts';
import { FindingsBench, timed } from './findings-bench.ts';

const FINDINGS = 1_000_000;
const FEW = 10_000;
const PAGE = 100;
const WALK = 1000;
const TRIAGED = 10_000;

const KEY = generateKeySync('aes', { length: 256 });

const FILTERS: Parameters<typeof findingFilterOf>[0] = {
  issueTypes: ['ISSUE_TYPE_SAST'],
  filter: { tab: 'ISSUE_TAB_OPEN', severities: ['SEVERITY_HIGH', 'SEVERITY_CRITICAL'] },
};

/** The same page in a naive query with all columns; its plan is up to the planner. */
const NAIVE = `select finding.*, project.name as project_name, project.url from finding
  join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
  where finding.deployment_id = $1 and finding.product = 'sast' and finding.status = 'open'
    and finding.severity in (3, 4)
  order by finding.relevant_since desc, finding.id desc limit ${PAGE}`;

/** The same page in a query written for the index: one scan of each range, then the first rows of both. */
const BARE = `select finding.*, project.name as project_name, project.url from (
    select finding.* from unnest(array[3, 4]::smallint[]) as stream (severity)
    cross join lateral (
      select * from finding where finding.deployment_id = $1 and finding.product = 'sast' and finding.status = 'open'
        and finding.severity = stream.severity
      order by finding.relevant_since desc, finding.id desc limit ${PAGE}) as finding
    order by finding.relevant_since desc, finding.id desc limit ${PAGE}) as finding
  join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
  order by finding.relevant_since desc, finding.id desc`;

interface IssuePage {
  issues: object[];
  cursor: string;
}

async function listIssues(bench: FindingsBench, more: object): Promise<IssuePage> {
  const path = `/api/agent/deployments/${bench.deployment}/issues`;
  return (await bench.call('POST', path, { ...FILTERS, ...more })) as unknown as IssuePage;
}

/** The statements that the server sends for the page, sent directly: without HTTP, authentication and policies. */
async function readOwnPage(bench: FindingsBench): Promise<number> {
  const now = new Date();
  const caller = { ...anonymousCaller, deployment: bench.deployment, seesEverything: true };
  const scope = { operation: 'bench', deployment: bench.deployment, filter: {} };
  const page = new Paging({ scope, key: KEY, cursor: '', limit: PAGE, offset: 0, now: now.getTime() });
  const tx = bench.tx();
  await allFindingsSnapshot(tx, bench.deployment);
  const wanted = { filter: findingFilterOf(FILTERS, now), order: NEWEST_FIRST, page };
  const ids = await listFindingPage(tx, { caller, now }, wanted);
  const text = await listIssuesJson(tx, { ids, included: {}, permission: 'TRIAGE_PERMISSION_IGNORE' });
  assert.ok(text.length > PAGE);
  return ids.length;
}

/** Reads to the end in large pages, and returns a cursor near it. */
async function lastCursor(bench: FindingsBench): Promise<string> {
  let cursor = '';
  for (;;) {
    const page = await listIssues(bench, { limit: WALK, cursor });
    if (page.cursor === '') return cursor;
    cursor = page.cursor;
  }
}

/** Checks that the page is full: a page with few rows would be fast in both cases and prove nothing. */
async function requireFullPages(bench: FindingsBench): Promise<void> {
  const { issues } = await listIssues(bench, { limit: PAGE });
  assert.equal(issues.length, PAGE);
  assert.equal(await readOwnPage(bench), PAGE);
  for (const text of [BARE, NAIVE]) assert.equal((await bench.bare(text, [bench.deployment])).rows.length, PAGE);
}

/** Lists and bulk triage with a million findings. */
export const benchFindings: Bench = async ({ scale, log }) => {
  const bench = await FindingsBench.open();
  try {
    await bench.fill(0, FEW);
    await requireFullPages(bench);
    const few = await timed(() => listIssues(bench, { limit: PAGE }));
    const count = Math.max(2 * FEW, Math.round(FINDINGS * scale));
    await bench.fill(FEW, count);
    log(`${count} findings inserted`);
    const many = await timed(() => listIssues(bench, { limit: PAGE }));
    const own = await timed(() => readOwnPage(bench));
    const bare = await timed(() => bench.bare(BARE, [bench.deployment]));
    const naive = await timed(() => bench.bare(NAIVE, [bench.deployment]));
    const cursor = await lastCursor(bench);
    const deep = await timed(() => listIssues(bench, { limit: PAGE, cursor }));
    return [...listFigures({ few, many, own, bare, naive, deep, count }), await triageFigure(bench, count)];
  } finally {
    await bench.close();
  }
};

function listFigures({
  few,
  many,
  own,
  bare,
  naive,
  deep,
  count,
}: Record<'few' | 'many' | 'own' | 'bare' | 'naive' | 'deep' | 'count', number>): Figure[] {
  return [
    {
      name: `first page of ${count} findings, 3 filters`,
      value: many,
      unit: 'ms',
      baseline: { name: 'the SQL of that page alone', value: own },
      ratio: own / many,
      target: { atLeast: 0.5 },
    },
    {
      name: 'the same against rows of findings only',
      value: many,
      unit: 'ms',
      baseline: { name: 'SQL written for the index', value: bare },
      ratio: bare / many,
    },
    {
      name: 'the same against naive SQL',
      value: many,
      unit: 'ms',
      baseline: { name: 'naive SQL', value: naive },
      ratio: naive / many,
    },
    {
      name: 'the same at the end, by cursor',
      value: deep,
      unit: 'ms',
      baseline: { name: 'first page', value: many },
      ratio: deep / many,
      target: { atMost: 1.2 },
    },
    {
      name: `the same against ${FEW} findings`,
      value: many,
      unit: 'ms',
      baseline: { name: `at ${FEW}`, value: few },
      ratio: many / few,
      target: { atMost: 2 },
    },
  ];
}

/** Triage of 10,000 findings by filter, compared with one UPDATE of as many rows. */
async function triageFigure(bench: FindingsBench, count: number): Promise<Figure> {
  const rules = Math.min(400, Math.ceil((TRIAGED / count) * 400));
  const names = Array.from({ length: rules }, (_, index) => `rule-${index}`);
  const start = performance.now();
  const done = await bench.call('PATCH', `/api/agent/deployments/${bench.deployment}/findings/v2`, {
    issueTypes: ['ISSUE_TYPE_SAST', 'ISSUE_TYPE_SCA', 'ISSUE_TYPE_SECRETS'],
    filter: { rules: names },
    params: { triageState: 'FINDING_TRIAGE_STATE_REVIEWING', note: 'bench' },
  });
  const ours = performance.now() - start;
  const updated = Number(done['updatedCount']);
  await bench.bare('begin', []);
  const bareStart = performance.now();
  await bench.bare(
    `update finding set triage_state = 'fixing', triage_note = 'bare', triaged_at = now() where deployment_id = $1
       and id in (select id from finding where deployment_id = $1 and triage_state = 'untriaged' limit $2)`,
    [bench.deployment, updated],
  );
  const bare = performance.now() - bareStart;
  await bench.bare('rollback', []);
  return {
    name: `triage of ${updated} findings by filter`,
    value: ours,
    unit: 'ms',
    baseline: { name: 'one bare UPDATE', value: bare },
    ratio: ours / bare,
    target: { atMost: 5 },
  };
}
