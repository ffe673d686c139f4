import { z } from 'zod';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { allMatchingSql, type FindingOrder } from '#domain/findings/filter/finding-list.ts';
import { combineFilters } from '#domain/findings/filter/query-filter.ts';
import { exactMatches } from '#domain/findings/filter/text-match.ts';
import { runTask, type TaskContext, type TaskFile, taskKind } from '#domain/tasks/task-runner.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { JobHandler } from '#kernel/jobs/handler.ts';
import {
  type FiltersByKind,
  filtersByKind,
  findMergedEntries,
  idsOfKind,
  type MergedEntriesRequest,
  type MergedEntry,
} from '../all-findings/merged-list.ts';
import { findingFilterOf } from '../list/filter-mapping.ts';
import { IssueFilter } from '../list/filter-shape.ts';
import { Issue } from '../list/shape.ts';
import * as store from '../list/store.ts';
import { csvWriterFor } from './csv-export.ts';
import { findSarifRows, sarifResultOf, sarifRuleOf } from './sarif-export.ts';
import { EXPORT_COLUMNS, EXPORT_FORMATS, type ExportFormat } from './shape.ts';
import {
  findWorkflowIssuesWithProjects,
  type WorkflowIssueWithProjects,
  workflowJson,
  workflowSarifDriver,
  workflowSarifResult,
} from './workflow-export.ts';

const ROWS_AT_ONCE = 500;

/** What an export has to know: the question, and as who it is asked. */
export const issueExportTask = taskKind('issues.export', {
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

type Input = z.output<typeof issueExportTask.job.payload>['input'];

type Reading = Pick<TaskContext<Input>, 'read'> & {
  asking: CallerContext;
  filters: FiltersByKind;
  order: FindingOrder;
};

const readingOf = ({ input, deployment, read }: TaskContext<Input>): Reading => {
  const now = new Date(input.asOf);
  const { userId, seesEverything, issueTypes, filter, q, order, isMixed } = input;
  const caller = { ...anonymousCaller, kind: 'user', deployment, userId, seesEverything } as const;
  const wanted = { issueTypes, filter, ...(q !== '' && { q }) };
  const filters = isMixed ? filtersByKind(wanted, now) : { issue: findingFilterOf(wanted, now) };
  return { read, asking: { caller, now }, filters, order };
};

/** What is found at the spots of a view, a page at a time and in their order. */
async function* pagesOf<Item>(
  { read, asking, filters, order }: Reading,
  most: number,
  find: (tx: Tx, spots: readonly MergedEntry[]) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  let after: MergedEntry | undefined;
  for (let left = most; left > 0; left -= ROWS_AT_ONCE) {
    const want: MergedEntriesRequest = { filters, order, after, limit: Math.min(left, ROWS_AT_ONCE) };
    const { items, spots } = await read(async (tx) => {
      const found = await findMergedEntries(tx, asking, want);
      return { spots: found, items: await find(tx, found) };
    });
    yield items;
    if (spots.length < want.limit) return;
    after = spots.at(-1);
  }
}

type Found = { issue: Issue } | WorkflowIssueWithProjects;

/** Issues of both kinds, in the order of their spots. */
const findBoth =
  ({ caller }: CallerContext) =>
  async (tx: Tx, spots: readonly MergedEntry[]): Promise<Found[]> => {
    const permission = 'TRIAGE_PERMISSION_NONE';
    const ids = idsOfKind(spots, 'issue');
    const issues = ids.length === 0 ? [] : await store.findMany(tx, { ids, included: {}, permission });
    const lines = await findWorkflowIssuesWithProjects(tx, caller, idsOfKind(spots, 'workflow'));
    const found = new Map<string, Found>([
      ...issues.map((issue) => [`issue ${issue.id}`, { issue }] as const),
      ...lines.map((line) => [`workflow ${line.workflowIssue.id}`, line] as const),
    ]);
    return spots.flatMap(({ kind, id }) => found.get(`${kind} ${id}`) ?? []);
  };

async function* csvLines(call: TaskContext<Input>): AsyncGenerator<string> {
  const { heading, line, workflowLine } = csvWriterFor(call.input.columns);
  const reading = readingOf(call);
  const textOf = (found: Found) => ('issue' in found ? line(found.issue) : workflowLine(found));
  yield heading;
  for await (const page of pagesOf(reading, call.input.most, findBoth(reading.asking))) yield page.map(textOf).join('');
}

async function* jsonLines(call: TaskContext<Input>): AsyncGenerator<string> {
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
      select distinct finding.tool from finding where ${await allMatchingSql(tx, asking, issue)} order by finding.tool`,
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
    const ofTool = { ...reading, filters: { issue: combineFilters(issue ?? {}, { tools: exactMatches([tool]) }) } };
    yield {
      results: pagesOf(ofTool, leftOf(), async (tx, spots) =>
        (await findSarifRows(tx, idsOfKind(spots, 'issue'))).map((row) => ({
          rule: row.rule,
          result: sarifResultOf(row),
          more: () => sarifRuleOf(row),
        })),
      ),
      driverOf: (rules) => ({ name: tool, rules: [...rules.values()] }),
    };
  }
  if (workflow)
    yield {
      results: pagesOf({ ...reading, filters: { workflow } }, leftOf(), async (tx, spots) =>
        (await findWorkflowIssuesWithProjects(tx, reading.asking.caller, idsOfKind(spots, 'workflow'))).map((line) => ({
          rule: line.workflowIssue.workflowIds[0] ?? '',
          result: workflowSarifResult(line),
        })),
      ),
      driverOf: (rules) => workflowSarifDriver(rules.keys()),
    };
}

async function* sarifLines(call: TaskContext<Input>): AsyncGenerator<string> {
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

const FILES: Record<ExportFormat, (call: TaskContext<Input>) => TaskFile> = {
  EXPORT_FORMAT_CSV: (call) => ({
    name: 'issues.csv',
    contentType: 'text/csv; charset=utf-8',
    chunks: () => csvLines(call),
  }),
  EXPORT_FORMAT_JSON: (call) => ({
    name: 'issues.json',
    contentType: 'application/json; charset=utf-8',
    chunks: () => jsonLines(call),
  }),
  EXPORT_FORMAT_SARIF: (call) => ({
    name: 'issues.sarif',
    contentType: 'application/sarif+json; charset=utf-8',
    chunks: () => sarifLines(call),
  }),
};

/** Writes issues into a file. */
export const issueExportHandler = (): JobHandler =>
  runTask(issueExportTask, async (call) => FILES[call.input.format](call));
