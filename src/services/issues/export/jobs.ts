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
import { findWorkflowIssuesWithProjects, type WorkflowIssueWithProjects } from '../all-findings/workflow-issues.ts';
import { findingFilterOf } from '../list/filter-mapping.ts';
import { IssueFilter } from '../list/filter-shape.ts';
import { Issue } from '../list/shape.ts';
import * as store from '../list/store.ts';
import { csvWriterFor } from './csv-export.ts';
import { findSarifRows, sarifResultOf, sarifRuleOf } from './sarif-export.ts';
import { EXPORT_COLUMNS, EXPORT_FORMATS, type ExportFormat } from './shape.ts';
import { workflowJson, workflowSarifDriver, workflowSarifResult } from './workflow-export.ts';

const PAGE_SIZE = 500;

/** The task of an export: its selection and its caller. */
export const issueExportTask = taskKind('issues.export', {
  issueTypes: z.array(z.string()),
  filter: IssueFilter,
  q: z.string(),
  order: z.object({ by: z.enum(['relevance', 'severity']), isDescending: z.boolean() }),
  maxIssues: z.int(),
  asOf: z.string(),
  userId: z.string(),
  seesEverything: z.boolean(),
  format: z.enum(EXPORT_FORMATS).default('EXPORT_FORMAT_CSV'),
  columns: z.array(z.enum(EXPORT_COLUMNS)).optional(),
  includeWorkflows: z.boolean().default(false),
});

type Input = z.output<typeof issueExportTask.job.payload>['input'];

/** How an export reads its issues. */
type ExportSource = Pick<TaskContext<Input>, 'read'> & {
  context: CallerContext;
  filters: FiltersByKind;
  order: FindingOrder;
};

const sourceOf = ({ input, deployment, read }: TaskContext<Input>): ExportSource => {
  const now = new Date(input.asOf);
  const { userId, seesEverything, issueTypes, filter, q, order, includeWorkflows } = input;
  const caller = { ...anonymousCaller, kind: 'user', deployment, userId, seesEverything } as const;
  const query = { issueTypes, filter, ...(q !== '' && { q }) };
  const filters = includeWorkflows ? filtersByKind(query, now) : { issue: findingFilterOf(query, now) };
  return { read, context: { caller, now }, filters, order };
};

/** Yields what `find` returns for the entries of the list, page by page in list order. */
async function* pagesOf<Item>(
  { read, context, filters, order }: ExportSource,
  maxItems: number,
  find: (tx: Tx, entries: readonly MergedEntry[]) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  let after: MergedEntry | undefined;
  for (let left = maxItems; left > 0; left -= PAGE_SIZE) {
    const request: MergedEntriesRequest = { filters, order, after, limit: Math.min(left, PAGE_SIZE) };
    const { items, entries } = await read(async (tx) => {
      const found = await findMergedEntries(tx, context, request);
      return { entries: found, items: await find(tx, found) };
    });
    yield items;
    if (entries.length < request.limit) return;
    after = entries.at(-1);
  }
}

type ExportedItem = { issue: Issue } | WorkflowIssueWithProjects;

/** Findings and workflow issues in list order. */
const findItems =
  ({ caller }: CallerContext) =>
  async (tx: Tx, entries: readonly MergedEntry[]): Promise<ExportedItem[]> => {
    const permission = 'TRIAGE_PERMISSION_NONE';
    const ids = idsOfKind(entries, 'issue');
    const issues = ids.length === 0 ? [] : await store.findMany(tx, { ids, included: {}, permission });
    const workflowIssues = await findWorkflowIssuesWithProjects(tx, caller, idsOfKind(entries, 'workflow'));
    const items = new Map<string, ExportedItem>([
      ...issues.map((issue) => [`issue ${issue.id}`, { issue }] as const),
      ...workflowIssues.map((item) => [`workflow ${item.workflowIssue.id}`, item] as const),
    ]);
    return entries.flatMap(({ kind, id }) => items.get(`${kind} ${id}`) ?? []);
  };

async function* csvChunks(call: TaskContext<Input>): AsyncGenerator<string> {
  const { header, row, workflowRow } = csvWriterFor(call.input.columns);
  const source = sourceOf(call);
  const rowOf = (item: ExportedItem) => ('issue' in item ? row(item.issue) : workflowRow(item));
  yield header;
  for await (const page of pagesOf(source, call.input.maxIssues, findItems(source.context)))
    yield page.map(rowOf).join('');
}

async function* jsonChunks(call: TaskContext<Input>): AsyncGenerator<string> {
  const source = sourceOf(call);
  let separator = '{"issues":[\n';
  for await (const page of pagesOf(source, call.input.maxIssues, findItems(source.context)))
    for (const item of page) {
      yield separator + JSON.stringify('issue' in item ? z.encode(Issue, item.issue) : workflowJson(item));
      separator = ',\n';
    }
  yield separator === ',\n' ? '\n]}\n' : '{"issues":[]}\n';
}

const ToolRow = z.object({ tool: z.string() });

/** The tools of the selected findings: SARIF has one run for each. */
async function toolsOf({ read, context, filters: { issue } }: ExportSource): Promise<string[]> {
  if (!issue) return [];
  const rows = await read(
    async (tx) => tx.all(ToolRow)`
      select distinct finding.tool from finding where ${await allMatchingSql(tx, context, issue)}
      order by finding.tool`,
  );
  return rows.map(({ tool }) => tool);
}

/** A SARIF run: its results, then the driver with the rules that they reference. */
interface Run {
  results: AsyncIterable<{ rule: string; result: object; ruleOf?: () => object }[]>;
  driverOf: (rules: ReadonlyMap<string, object>) => object;
}

function* runsOf(source: ExportSource, tools: readonly string[], remaining: () => number): Generator<Run> {
  const { issue, workflow } = source.filters;
  for (const tool of issue ? tools : []) {
    const ofTool = { ...source, filters: { issue: combineFilters(issue ?? {}, { tools: exactMatches([tool]) }) } };
    yield {
      results: pagesOf(ofTool, remaining(), async (tx, entries) =>
        (await findSarifRows(tx, idsOfKind(entries, 'issue'))).map((row) => ({
          rule: row.rule,
          result: sarifResultOf(row),
          ruleOf: () => sarifRuleOf(row),
        })),
      ),
      driverOf: (rules) => ({ name: tool, rules: [...rules.values()] }),
    };
  }
  if (workflow)
    yield {
      results: pagesOf({ ...source, filters: { workflow } }, remaining(), async (tx, entries) =>
        (await findWorkflowIssuesWithProjects(tx, source.context.caller, idsOfKind(entries, 'workflow'))).map(
          (item) => ({ rule: item.workflowIssue.workflowIds[0] ?? '', result: workflowSarifResult(item) }),
        ),
      ),
      driverOf: (rules) => workflowSarifDriver(rules.keys()),
    };
}

async function* sarifChunks(call: TaskContext<Input>): AsyncGenerator<string> {
  const source = sourceOf(call);
  let left = call.input.maxIssues;
  let runs = 0;
  yield '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[\n';
  for (const { results, driverOf } of runsOf(source, await toolsOf(source), () => left)) {
    const rules = new Map<string, object>();
    let count = 0;
    for await (const page of results)
      for (const { rule, result, ruleOf } of page) {
        if (!rules.has(rule)) rules.set(rule, ruleOf?.() ?? {});
        // A run is opened with its first result, so that there are no empty runs.
        const separator = count++ > 0 ? ',\n' : `${runs++ > 0 ? ',\n' : ''}{"results":[\n`;
        yield separator + JSON.stringify(result);
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
    chunks: () => csvChunks(call),
  }),
  EXPORT_FORMAT_JSON: (call) => ({
    name: 'issues.json',
    contentType: 'application/json; charset=utf-8',
    chunks: () => jsonChunks(call),
  }),
  EXPORT_FORMAT_SARIF: (call) => ({
    name: 'issues.sarif',
    contentType: 'application/sarif+json; charset=utf-8',
    chunks: () => sarifChunks(call),
  }),
};

/** Runs the export task. */
export const issueExportHandler = (): JobHandler =>
  runTask(issueExportTask, async (call) => FILES[call.input.format](call));
