import { z } from 'zod';
import type { Asking } from '#domain/findings/filter.ts';
import { allWanted, type Order } from '#domain/findings/list.ts';
import { exactly } from '#domain/findings/matching.ts';
import { bothOf } from '#domain/findings/query-filter.ts';
import { runTask, type TaskCall, type TaskFile, taskKind } from '#domain/tasks/running.ts';
import { nobody } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Handler } from '#kernel/jobs/handler.ts';
import { csvOf } from './export-csv.ts';
import { findSarif, resultOf, ruleOf } from './export-sarif.ts';
import { EXPORT_COLUMNS, EXPORT_FORMATS, type ExportFormat } from './export-shape.ts';
import {
  findWorkflowLines,
  type WorkflowLine,
  workflowDriver,
  workflowJson,
  workflowResult,
} from './export-workflows.ts';
import { IssueFilter } from './filter-shape.ts';
import { type Filters, filtersOf, idsOf, type MixedWant, mixedHits, type Spot } from './mixed.ts';
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
  isMixed: z.boolean().default(false),
});

type Input = z.output<typeof issueExport.job.payload>['input'];

type Reading = Pick<TaskCall<Input>, 'read'> & { asking: Asking; filters: Filters; order: Order };

const readingOf = ({ input, deployment, read }: TaskCall<Input>): Reading => {
  const now = new Date(input.asOf);
  const { userId, seesEverything, issueTypes, filter, q, order, isMixed } = input;
  const caller = { ...nobody, kind: 'user', deployment, userId, seesEverything } as const;
  const wanted = { issueTypes, filter, ...(q !== '' && { q }) };
  const filters = isMixed ? filtersOf(wanted, now) : { issue: filterOf(wanted, now) };
  return { read, asking: { caller, now }, filters, order };
};

/** What is found at the spots of a view, a page at a time and in their order. */
async function* pagesOf<Item>(
  { read, asking, filters, order }: Reading,
  most: number,
  find: (tx: Tx, spots: readonly Spot[]) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  let after: Spot | undefined;
  for (let left = most; left > 0; left -= ROWS_AT_ONCE) {
    const want: MixedWant = { filters, order, after, limit: Math.min(left, ROWS_AT_ONCE) };
    const { items, spots } = await read(async (tx) => {
      const found = await mixedHits(tx, asking, want);
      return { spots: found, items: await find(tx, found) };
    });
    yield items;
    if (spots.length < want.limit) return;
    after = spots.at(-1);
  }
}

type Found = { issue: Issue } | WorkflowLine;

/** Issues of both kinds, in the order of their spots. */
const findBoth =
  ({ caller }: Asking) =>
  async (tx: Tx, spots: readonly Spot[]): Promise<Found[]> => {
    const permission = 'TRIAGE_PERMISSION_NONE';
    const ids = idsOf(spots, 'issue');
    const issues = ids.length === 0 ? [] : await store.findMany(tx, { ids, included: {}, permission });
    const lines = await findWorkflowLines(tx, caller, idsOf(spots, 'workflow'));
    const found = new Map<string, Found>([
      ...issues.map((issue) => [`issue ${issue.id}`, { issue }] as const),
      ...lines.map((line) => [`workflow ${line.workflowIssue.id}`, line] as const),
    ]);
    return spots.flatMap(({ kind, id }) => found.get(`${kind} ${id}`) ?? []);
  };

async function* csvLines(call: TaskCall<Input>): AsyncGenerator<string> {
  const { heading, line, workflowLine } = csvOf(call.input.columns);
  const reading = readingOf(call);
  const textOf = (found: Found) => ('issue' in found ? line(found.issue) : workflowLine(found));
  yield heading;
  for await (const page of pagesOf(reading, call.input.most, findBoth(reading.asking))) yield page.map(textOf).join('');
}

async function* jsonLines(call: TaskCall<Input>): AsyncGenerator<string> {
  const reading = readingOf(call);
  let before = '{"issues":[\n';
  for await (const page of pagesOf(reading, call.input.most, findBoth(reading.asking)))
    for (const found of page) {
      yield before + JSON.stringify('issue' in found ? z.encode(Issue, found.issue) : workflowJson(found));
      before = ',\n';
    }
  yield before === ',\n' ? '\n]}\n' : '{"issues":[]}\n';
}

/** The tools that issues of a view come from: each is a run of its own. */
async function toolsOf({ read, asking, filters: { issue } }: Reading): Promise<string[]> {
  if (!issue) return [];
  const rows = await read(
    async (tx) => tx.rows`
      select distinct finding.tool from finding where ${await allWanted(tx, asking, issue)} order by finding.tool`,
  );
  return rows.map((row) => String(row['tool']));
}

/** A run of SARIF: its results, then the tool with the rules that they name. */
interface Run {
  results: AsyncIterable<{ rule: string; result: object; more?: () => object }[]>;
  driverOf: (rules: ReadonlyMap<string, object>) => object;
}

function* runsOf(reading: Reading, tools: readonly string[], leftOf: () => number): Generator<Run> {
  const { issue, workflow } = reading.filters;
  for (const tool of issue ? tools : []) {
    const ofTool = { ...reading, filters: { issue: bothOf(issue ?? {}, { tools: exactly([tool]) }) } };
    yield {
      results: pagesOf(ofTool, leftOf(), async (tx, spots) =>
        (await findSarif(tx, idsOf(spots, 'issue'))).map((row) => ({
          rule: row.rule,
          result: resultOf(row),
          more: () => ruleOf(row),
        })),
      ),
      driverOf: (rules) => ({ name: tool, rules: [...rules.values()] }),
    };
  }
  if (workflow)
    yield {
      results: pagesOf({ ...reading, filters: { workflow } }, leftOf(), async (tx, spots) =>
        (await findWorkflowLines(tx, reading.asking.caller, idsOf(spots, 'workflow'))).map((line) => ({
          rule: line.workflowIssue.workflowIds[0] ?? '',
          result: workflowResult(line),
        })),
      ),
      driverOf: (rules) => workflowDriver(rules.keys()),
    };
}

async function* sarifLines(call: TaskCall<Input>): AsyncGenerator<string> {
  const reading = readingOf(call);
  let left = call.input.most;
  let runs = 0;
  yield '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[\n';
  for (const { results, driverOf } of runsOf(reading, await toolsOf(reading), () => left)) {
    const rules = new Map<string, object>();
    let count = 0;
    for await (const page of results)
      for (const { rule, result, more } of page) {
        if (!rules.has(rule)) rules.set(rule, more?.() ?? {});
        // A run begins with its first result, so that none is empty.
        const before = count++ > 0 ? ',\n' : `${runs++ > 0 ? ',\n' : ''}{"results":[\n`;
        yield before + JSON.stringify(result);
      }
    left -= count;
    if (count > 0) yield `\n],"tool":{"driver":${JSON.stringify(driverOf(rules))}}}`;
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
