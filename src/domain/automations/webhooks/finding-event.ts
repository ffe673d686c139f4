import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import type { DeliverySubject } from '../deliveries/destination-adapter.ts';
import { type JsonValue, pythonJson } from './python-json.ts';
import { MAX_ITEM_BYTES } from './split-bodies.ts';

const EventRow = z.object({
  id: z.string(),
  rule: z.string(),
  message: z.string(),
  severity: z.number(),
  path: z.string(),
  line: z.number(),
  start_column: z.number(),
  end_line: z.number(),
  end_column: z.number(),
  syntactic_id: z.string().optional(),
  match_based_id: z.string().optional(),
  mode: z.string(),
  metadata: z.record(z.string(), z.json()).optional(),
  first_scan_id: z.string(),
  first_seen_at: z.string(),
  project: z.string(),
  project_url: z.string().optional(),
  ref: z.string().optional(),
  commit: z.string().optional(),
  commit_at: z.string().optional(),
  slug: z.string(),
});
type EventRow = z.output<typeof EventRow>;

/** The severities of these bodies: 0 for info and low, up to 3 for critical. Ours start with info and low apart. */
const severityNumber = (rank: number) => Math.max(0, rank - 1);

/** Scans are named by a digest in these bodies. */
export const hashedScanId = (deployment: string, scan: string): string =>
  createHash('sha256').update(`scan ${deployment}/${scan}`).digest('base64url').slice(0, 20);

const occurrenceOf = (matchBasedId: string | undefined) => Number(/_(\d{1,6})$/.exec(matchBasedId ?? '')?.[1] ?? 0);

const spaced = (timestamp: string) => timestamp.replace('T', ' ').replace('Z', '+00:00');
const withoutZone = (timestamp: string | undefined) => {
  const at = Date.parse(timestamp ?? '');
  return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 19);
};

const commitUrl = ({ project_url: url, commit }: EventRow) =>
  url === undefined || commit === undefined || !/^https?:/.test(url)
    ? null
    : `${url.replace(/\/$/, '')}/commit/${commit}`;

const actionsOf = (mode: string) => (mode === 'block' || mode === 'comment' ? [mode] : []);

const MAX_MESSAGE_LENGTH = 4000;

function eventOf(row: EventRow, { deployment, subject, baseUrl }: EventContext): JsonValue {
  const [automation] = subject.automations ?? [];
  const own: Record<string, JsonValue> = {
    'dev.semgrep.actions': actionsOf(row.mode),
    ...(automation && {
      'semgrep.policy': { id: Number(automation.id), name: automation.name, slug: automation.slug },
    }),
    'semgrep.url': `${baseUrl}/o/${row.slug}/findings/${row.id}`,
  };
  const finding = (metadata: Record<string, JsonValue>): JsonValue => ({
    semgrep_finding: {
      check_id: row.rule,
      column: row.start_column,
      commit_date: withoutZone(row.commit_at),
      commit_url: commitUrl(row),
      end_column: row.end_column,
      end_line: row.end_line,
      first_seen_scan_id: hashedScanId(deployment, row.first_scan_id),
      id: row.syntactic_id ?? row.id,
      index: occurrenceOf(row.match_based_id),
      line: row.line,
      message: row.message.slice(0, MAX_MESSAGE_LENGTH),
      metadata,
      numeric_id: Number(row.id),
      path: row.path,
      ref: row.ref ?? null,
      repo_name: row.project,
      severity: severityNumber(row.severity),
      start_date: spaced(row.first_seen_at),
    },
  });
  const whole = finding({ ...row.metadata, ...own });
  return pythonJson(whole).length <= MAX_ITEM_BYTES ? whole : finding(own);
}

interface EventContext {
  deployment: string;
  subject: DeliverySubject;
  baseUrl: string;
}

/** The finding events of these findings, without code and without secrets; findings that were deleted are left out. */
export async function findingEvents(tx: Tx, context: EventContext, findings: readonly string[]): Promise<JsonValue[]> {
  const { deployment } = context;
  const rows = await tx.all(EventRow)`
    select finding.id, finding.rule, finding.message, finding.severity, finding.path, finding.line,
      finding.start_column, finding.end_line, finding.end_column, finding.syntactic_id, finding.match_based_id,
      finding.mode, case when jsonb_typeof(finding.detail->'metadata') = 'object' then finding.detail->'metadata' end
        as metadata,
      finding.first_scan_id, finding.first_seen_at, project.name as project, project.url as project_url,
      project_ref.ref, scan.commit, scan.meta->>'commit_timestamp' as commit_at, deployment.slug
    from unnest(${findings}::bigint[]) with ordinality as wanted (id, position)
    join finding on finding.deployment_id = ${deployment} and finding.id = wanted.id
    join project on project.deployment_id = ${deployment} and project.id = finding.project_id
    join deployment on deployment.id = ${deployment}
    left join scan on scan.deployment_id = ${deployment} and scan.id = finding.first_scan_id
    left join project_ref on project_ref.deployment_id = ${deployment} and project_ref.id = scan.ref_id
    order by wanted.position`;
  return rows.map((row) => eventOf(row, context));
}
