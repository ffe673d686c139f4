import { z } from 'zod';
import type { Asking, Filter } from '#domain/findings/filter.ts';
import { allWanted, hits, type Order, questionOf } from '#domain/findings/list.ts';
import { exactly } from '#domain/findings/matching.ts';
import { bothOf } from '#domain/findings/query-filter.ts';
import { runTask, type TaskCall, type TaskFile, taskKind } from '#domain/tasks/running.ts';
import { nobody } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Handler } from '#kernel/jobs/handler.ts';
import { csvOf } from './export-csv.ts';
import { findSarif, resultOf, ruleOf } from './export-sarif.ts';
import { EXPORT_COLUMNS, EXPORT_FORMATS, type ExportFormat } from './export-shape.ts';
import { IssueFilter } from './filter-shape.ts';
import { Issue } from './shape.ts';
import * as store from './store.ts';
import { filterOf } from './wanted.ts';

const ROWS_AT_ONCE = 500;

/** What an export has to know: the question, and as who it is asked. */
export const issueExport = taskKind('issues.export', {
  issueTypes: z.array(z.string()),
  filter: IssueFilter,
  q: z.string(),
  order: z.object({ by: z.enum(['relevance', 'severity']), isDescending: z.boolean() }),
  most: z.int(),
  asOf: z.string(),
  userId: z.string(),
  seesEverything: z.boolean(),
  format: z.enum(EXPORT_FORMATS).default('EXPORT_FORMAT_CSV'),
  columns: z.array(z.enum(EXPORT_COLUMNS)).optional(),
});

type Input = z.output<typeof issueExport.job.payload>['input'];

interface Wanted {
  filter: Filter;
  order: Order;
  after: string[] | null;
  limit: number;
}

async function someIds(tx: Tx, asking: Asking, want: Wanted): Promise<{ ids: string[]; last: string[] | null }> {
  const rows = await tx.rows`${hits(want, await questionOf(tx, asking, want.filter))}`;
  const last = rows.at(-1);
  return {
    ids: rows.map((row) => String(row['id'])),
    last: last ? [String(last['severity']), String(last['relevant_since']), String(last['id'])] : null,
  };
}

type Reading = Pick<TaskCall<Input>, 'read'> & { asking: Asking; filter: Filter; order: Order };

const readingOf = ({ input, deployment, read }: TaskCall<Input>): Reading => {
  const now = new Date(input.asOf);
  const { userId, seesEverything, issueTypes, filter, q, order } = input;
  const caller = { ...nobody, kind: 'user', deployment, userId, seesEverything } as const;
  const wanted = filterOf({ issueTypes, filter, ...(q !== '' && { q }) }, now);
  return { read, asking: { caller, now }, filter: wanted, order };
};

/** What is found of the issues of a view, a page at a time and in their order. */
async function* pagesOf<Item>(
  { read, asking, filter, order }: Reading,
  most: number,
  find: (tx: Tx, ids: readonly string[]) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  for (let left = most, after: string[] | null = null; left > 0; left -= ROWS_AT_ONCE) {
    const want: Wanted = { filter, order, after, limit: Math.min(left, ROWS_AT_ONCE) };
    const { items, ids, last } = await read(async (tx) => {
      const found = await someIds(tx, asking, want);
      return { ...found, items: await find(tx, found.ids) };
    });
    yield items;
    if (ids.length < want.limit) return;
    after = last;
  }
}

const findIssues = (tx: Tx, ids: readonly string[]) =>
  store.findMany(tx, { ids, included: {}, permission: 'TRIAGE_PERMISSION_NONE' });

async function* csvLines(call: TaskCall<Input>): AsyncGenerator<string> {
  const { heading, line } = csvOf(call.input.columns);
  yield heading;
  for await (const issues of pagesOf(readingOf(call), call.input.most, findIssues)) yield issues.map(line).join('');
}

async function* jsonLines(call: TaskCall<Input>): AsyncGenerator<string> {
  let before = '{"issues":[\n';
  for await (const issues of pagesOf(readingOf(call), call.input.most, findIssues))
    for (const issue of issues) {
      yield before + JSON.stringify(z.encode(Issue, issue));
      before = ',\n';
    }
  yield before === ',\n' ? '\n]}\n' : '{"issues":[]}\n';
}

/** The tools that issues of a view come from: each is a run of its own. */
async function toolsOf({ read, asking, filter }: Reading): Promise<string[]> {
  const rows = await read(
    async (tx) => tx.rows`
      select distinct finding.tool from finding where ${await allWanted(tx, asking, filter)} order by finding.tool`,
  );
  return rows.map((row) => String(row['tool']));
}

async function* sarifLines(call: TaskCall<Input>): AsyncGenerator<string> {
  const reading = readingOf(call);
  let left = call.input.most;
  yield '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[\n';
  for (const [index, tool] of (await toolsOf(reading)).entries()) {
    const ofTool = { ...reading, filter: bothOf(reading.filter, { tools: exactly([tool]) }) };
    const rules = new Map<string, object>();
    let count = 0;
    yield `${index === 0 ? '' : ',\n'}{"results":[\n`;
    for await (const rows of pagesOf(ofTool, left, findSarif))
      for (const row of rows) {
        if (!rules.has(row.rule)) rules.set(row.rule, ruleOf(row));
        yield (count++ === 0 ? '' : ',\n') + JSON.stringify(resultOf(row));
      }
    left -= count;
    yield `\n],"tool":{"driver":${JSON.stringify({ name: tool, rules: [...rules.values()] })}}}`;
  }
  yield '\n]}\n';
}

const FILES: Record<ExportFormat, (call: TaskCall<Input>) => TaskFile> = {
  EXPORT_FORMAT_CSV: (call) => ({
    name: 'issues.csv',
    contentType: 'text/csv; charset=utf-8',
    pieces: () => csvLines(call),
  }),
  EXPORT_FORMAT_JSON: (call) => ({
    name: 'issues.json',
    contentType: 'application/json; charset=utf-8',
    pieces: () => jsonLines(call),
  }),
  EXPORT_FORMAT_SARIF: (call) => ({
    name: 'issues.sarif',
    contentType: 'application/sarif+json; charset=utf-8',
    pieces: () => sarifLines(call),
  }),
};

/** Writes issues into a file. */
export const issueExporter = (): Handler => runTask(issueExport, async (call) => FILES[call.input.format](call));
