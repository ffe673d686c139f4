import { z } from 'zod';

/** What a result can have; which of these count depends on the kind of result. */
export const MAPPED_FIELDS = [
  ...['rule', 'title', 'message', 'severity', 'confidence', 'category', 'cwe', 'owasp', 'references', 'fix'],
  ...['file', 'line', 'column', 'endLine', 'endColumn', 'code', 'scope', 'id'],
  ...['advisories', 'package', 'version', 'ecosystem', 'fixVersions'],
  ...['type', 'value', 'valueDigest'],
  ...['url', 'port', 'method', 'parameter', 'evidence', 'resource'],
] as const;

const path = z.string().trim().min(1).max(200);
/** A path, several of which the first with a value counts, or a fixed value. */
const field = z.union([
  path,
  z.array(path).min(1).max(10),
  z.strictObject({ value: z.union([z.string().max(1000), z.number()]) }),
]);
export type MappedField = z.output<typeof field>;

const severity = z.enum(['critical', 'high', 'medium', 'low', 'info']);
const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** How an operator maps the report of a tool that has no adapter. */
export const ReportMapping = z
  .strictObject({
    /** Name of the tool: findings of tools with different names are tracked apart. */
    tool: z.string().trim().min(1).max(100),
    format: z.enum(['json', 'jsonl', 'csv', 'xml']),
    /** JSON: path of the results, such as `report.findings[]`. XML: name of their element. */
    results: path.optional(),
    /** XML: name of the root element. */
    root: path.optional(),
    /** CSV: between fields. */
    separator: z.string().length(1).optional(),
    kind: z.enum(['code', 'component', 'secret', 'endpoint', 'resource']),
    fields: z.partialRecord(z.enum(MAPPED_FIELDS as readonly string[]), field),
    /** Words of the tool, in any case. */
    severities: z.record(z.string(), severity).optional(),
    /** Only results that have one of these values are findings. */
    only: z.record(path, z.array(scalar).min(1).max(50)).optional(),
  })
  .superRefine((mapping, context) => {
    const report = (at: string, message: string) => context.addIssue({ code: 'custom', path: [at], message });
    const { format, results, root, fields, kind } = mapping;
    if (format === 'json' && !/(^|\.)[^.]*(\[\]|\.\*)$|^\[\]$/.test(results ?? ''))
      report('results', 'must be a path that ends with [] or .*, such as findings[]');
    if (format === 'xml' && (results === undefined || root === undefined))
      report('results', 'and root must name elements of the XML');
    for (const name of NEEDED[kind])
      if (fields[name] === undefined) report('fields', `must have ${name} for the kind ${kind}`);
  });
export type ReportMapping = z.output<typeof ReportMapping>;

const NEEDED: Record<'code' | 'component' | 'secret' | 'endpoint' | 'resource', readonly string[]> = {
  code: ['rule', 'file'],
  component: ['advisories', 'package'],
  secret: ['rule', 'file'],
  endpoint: ['rule', 'url'],
  resource: ['rule', 'resource'],
};
