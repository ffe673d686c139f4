import assert from 'node:assert/strict';
import type { Bench, Figure } from '../figure.ts';
import { FindingsBench, timed } from './findings-bench.ts';

const PAGE = 100;
const DEEP_PAGE = 1000;
const WALK_PAGES = 20;
const MAX_RATIO = 3;
const ROUNDS = 15;

/** The lists with page numbers. */
const LISTS: Record<string, { path: string; records: string }> = {
  'findings, all refs': { path: 'findings', records: 'findings' },
  'findings, one ref': { path: 'findings?ref=refs/heads/main', records: 'findings' },
  'findings, one status': { path: 'findings?status=open', records: 'findings' },
  'findings, once each': { path: 'findings?dedup=true', records: 'findings' },
  projects: { path: 'projects', records: 'projects' },
};

/** A page with a high number compared with the first page: after the pages before it, again, and alone. */
export const benchDeepPages: Bench = async ({ scale, log }) => {
  const bench = await FindingsBench.open();
  try {
    const deep = Math.max(2 * WALK_PAGES, Math.round(DEEP_PAGE * scale));
    // Three of five findings are in code, and six of seven of these are open.
    await bench.fill(0, (deep + 2) * PAGE * 2);
    await addProjects(bench, (deep + 2) * PAGE);
    const [{ slug = '' } = {}] = (await bench.bare('select slug from deployment where id = $1', [bench.deployment]))
      .rows as { slug: string }[];
    const figures: Figure[] = [];
    for (const [name, list] of Object.entries(LISTS)) {
      const read = async (page: number) => {
        const url = new URL(`/api/v1/deployments/${slug}/${list.path}`, 'http://bench');
        url.searchParams.set('page', String(page));
        url.searchParams.set('page_size', String(PAGE));
        const reply = await bench.get(`${url.pathname}${url.search}`);
        assert.equal((reply[list.records] as object[]).length, PAGE, `${name}, page ${page}`);
      };
      figures.push(...(await measure(name, deep, read)));
      log(name);
    }
    return figures;
  } finally {
    await bench.close();
  }
};

async function measure(name: string, deep: number, read: (page: number) => Promise<void>): Promise<Figure[]> {
  const first = await timed(() => read(0), ROUNDS);
  const start = performance.now();
  await read(deep - WALK_PAGES);
  const alone = performance.now() - start;
  let page = deep - WALK_PAGES;
  const walked = await timed(() => read(++page), WALK_PAGES - 1);
  const again = await timed(() => read(deep), ROUNDS);
  const baseline = { name: 'first page', value: first };
  const figure = (what: string, value: number): Figure => ({
    name: `${name}: page ${deep}, ${what}`,
    value,
    unit: 'ms',
    baseline,
    ratio: value / first,
  });
  return [
    { ...figure('after the one before', walked), target: { atMost: MAX_RATIO } },
    { ...figure('again', again), target: { atMost: MAX_RATIO } },
    figure('before any other', alone),
  ];
}

/** Projects that were scanned once, so that they are listed. */
async function addProjects(bench: FindingsBench, count: number): Promise<void> {
  await bench.bare(
    `insert into project (deployment_id, name, name_key, default_branch, latest_scan_at)
     select $1, 'acme/more-' || n, 'acme/more-' || n, 'main', now() from generate_series(1, $2::integer) as n`,
    [bench.deployment, count],
  );
  await bench.bare('vacuum analyze project', []);
}
