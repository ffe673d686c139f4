import { z } from 'zod';
import type { Asking, Filter } from '#domain/findings/filter.ts';
import { hits, type Order, questionOf } from '#domain/findings/list.ts';
import { runTask, type TaskCall, taskKind } from '#domain/tasks/running.ts';
import { nobody } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Handler } from '#kernel/jobs/handler.ts';
import { IssueFilter } from './filter-shape.ts';
import type { Issue } from './shape.ts';
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
});

type Input = z.output<typeof issueExport.job.payload>['input'];

type Column = [name: string, of: (issue: Issue) => string | number | undefined];

const COLUMNS: Column[] = [
  ['id', ({ id }) => id],
  ['type', ({ issueType }) => issueType.replace('ISSUE_TYPE_', '').toLowerCase()],
  ['state', ({ aggregateState }) => aggregateState.replace('AGGREGATE_ISSUE_STATE_', '').toLowerCase()],
  ['severity', ({ severity }) => severity.replace('SEVERITY_', '').toLowerCase()],
  ['confidence', ({ confidence }) => confidence.replace('CONFIDENCE_', '').toLowerCase()],
  ['rule', ({ rulePath }) => rulePath],
  ['title', ({ ruleDisplayName }) => ruleDisplayName],
  ['message', ({ message }) => message],
  ['repository', ({ repository }) => repository.name],
  ['ref', ({ ref }) => ref],
  ['path', ({ filePath }) => filePath],
  ['line', ({ line }) => line],
  ['url', ({ lineOfCodeUrl }) => lineOfCodeUrl],
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
  ['relevant_since', ({ relevantSince }) => relevantSince.toISOString()],
  ['triage_state', ({ triageState }) => triageState.replace('FINDING_TRIAGE_STATE_', '').toLowerCase()],
  ['triage_reason', ({ triageReason }) => triageReason?.replace('FINDING_TRIAGE_REASON_', '').toLowerCase()],
  ['note', ({ note }) => note],
  ['advisory', ({ scaAttributes }) => scaAttributes?.vulnDatabaseIdentifier],
  ['package', ({ scaAttributes }) => scaAttributes?.foundDependency.package],
  ['version', ({ scaAttributes }) => scaAttributes?.foundDependency.version],
  ['secret_type', ({ secretsAttributes }) => secretsAttributes?.secretType],
];

/** A cell that spreadsheets take for text, whatever it begins with. */
function cell(value: string | number | undefined): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const lineOf = (cells: readonly (string | number | undefined)[]) => `${cells.map(cell).join(',')}\r\n`;

interface Wanted {
  filter: Filter;
  order: Order;
  after: string[] | null;
  limit: number;
}

async function someOf(tx: Tx, asking: Asking, want: Wanted): Promise<{ issues: Issue[]; last: string[] | null }> {
  const rows = await tx.rows`${hits(want, await questionOf(tx, asking, want.filter))}`;
  const last = rows.at(-1);
  const ids = rows.map((row) => String(row['id']));
  return {
    issues: await store.findMany(tx, ids, { permission: 'TRIAGE_PERMISSION_NONE' }),
    last: last ? [String(last['severity']), String(last['relevant_since']), String(last['id'])] : null,
  };
}

/** The lines of the file, a page of issues at a time. */
async function* linesOf({ input, deployment, read }: TaskCall<Input>): AsyncGenerator<string> {
  const now = new Date(input.asOf);
  const { userId, seesEverything, issueTypes, filter: wanted, q, order, most } = input;
  const caller = { ...nobody, kind: 'user', deployment, userId, seesEverything } as const;
  const filter = filterOf({ issueTypes, filter: wanted, ...(q !== '' && { q }) }, now);
  yield lineOf(COLUMNS.map(([name]) => name));
  for (let left = most, after: string[] | null = null; left > 0; left -= ROWS_AT_ONCE) {
    const want: Wanted = { filter, order, after, limit: Math.min(left, ROWS_AT_ONCE) };
    const { issues, last } = await read((tx) => someOf(tx, { caller, now }, want));
    yield issues.map((issue) => lineOf(COLUMNS.map(([, of]) => of(issue)))).join('');
    if (issues.length < want.limit) return;
    after = last;
  }
}

/** Writes issues into a file of comma-separated values. */
export const issueExporter = (): Handler =>
  runTask(issueExport, async (call) => ({
    name: 'issues.csv',
    contentType: 'text/csv; charset=utf-8',
    pieces: () => linesOf(call),
  }));
