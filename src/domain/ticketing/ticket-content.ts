import { z } from 'zod';
import { SEVERITIES } from '#domain/findings/shape.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { mappedValues } from './ticket-fields.ts';
import type { FieldMapping } from './ticketing-shape.ts';
import { paragraph, type TicketText } from './trackers/ticket-text.ts';

const MAX_MESSAGE_LENGTH = 2000;

const ContentRow = z.object({
  id: z.string(),
  rule: z.string(),
  title: z.string(),
  message: z.string(),
  severity: z.number(),
  product: z.string(),
  path: z.string(),
  line: z.number(),
  advisory: z.string().optional(),
  package: z.string().optional(),
  package_version: z.string().optional(),
  project: z.string(),
  slug: z.string(),
});
type ContentRow = z.output<typeof ContentRow>;

/** What a ticket says. It has neither code nor secrets: a tracker has other readers than this server. */
export interface TicketContent {
  title: string;
  text: TicketText;
  fields: Record<string, string>;
}

export interface ContentContext {
  deployment: string;
  baseUrl: string;
  fields: FieldMapping;
  followsSlug?: string | undefined;
}

const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();

const placeOf = ({ path, line, package: name, package_version: version }: ContentRow) =>
  name === undefined ? `${path}:${line}` : `${name}${version === undefined ? '' : `@${version}`} in ${path}`;

function contentOf(rows: readonly ContentRow[], worst: ContentRow, context: ContentContext): TicketContent {
  const { baseUrl, followsSlug } = context;
  const count = rows.length === 1 ? '' : ` (${rows.length} findings)`;
  const severity = SEVERITIES[worst.severity] ?? 'info';
  return {
    title: oneLine(`${worst.title || worst.rule}${count} in ${worst.project}`),
    text: [
      paragraph(oneLine(worst.message).slice(0, MAX_MESSAGE_LENGTH).toWellFormed()),
      paragraph(`Project: ${worst.project} · Rule: ${worst.rule} · Severity: ${severity}`),
      {
        kind: 'list',
        items: rows.map((row) => [
          { text: oneLine(placeOf(row)), url: `${baseUrl}/o/${row.slug}/findings/${row.id}` },
          { text: ` (${SEVERITIES[row.severity] ?? 'info'})` },
        ]),
      },
      ...(followsSlug === undefined ? [] : [paragraph(`These findings came back: ${followsSlug} was about them.`)]),
      paragraph('Opened by Parapet, which follows the findings: scans decide when they are fixed.'),
    ],
    fields: mappedValues(context.fields, worst),
  };
}

/** The content of a ticket about these findings; undefined if none exists any more. */
export async function composeTicket(
  tx: Tx,
  context: ContentContext,
  findings: readonly string[],
): Promise<TicketContent | undefined> {
  const { deployment } = context;
  const rows = await tx.all(ContentRow)`
    select finding.id, finding.rule, finding.title, finding.message, finding.severity, finding.product, finding.path,
      finding.line, finding.advisory, finding.package, finding.package_version, project.name as project,
      deployment.slug
    from finding
    join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
    join deployment on deployment.id = finding.deployment_id
    where finding.deployment_id = ${deployment} and finding.id = any(${findings}::bigint[])
    order by finding.severity desc, finding.path, finding.line, finding.id`;
  const [worst] = rows;
  return worst && contentOf(rows, worst, context);
}
