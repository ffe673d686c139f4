import { z } from 'zod';
import { TOKEN_PROJECT_LIMITED } from '#domain/projects/shape.ts';
import { REPORT_FORMATS } from '#domain/reports/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, oneOf } from '#kernel/contract/proto-fields.ts';

const MAX_REPORT_BYTES = 2 * 1024 ** 3;

export const REPORT_UNREADABLE = fault(
  'REPORT_UNREADABLE',
  400,
  'The report cannot be read: {sentence}',
  'Send the report as the scanner wrote it, or set its `format`; nothing was changed.',
);

export const REPORT_TOO_COSTLY = fault(
  'REPORT_TOO_COSTLY',
  413,
  'The report cannot be processed: {sentence}',
  'Split the report, for instance by folder with a `category` for each part; nothing was changed.',
);

export const MAPPING_UNUSABLE = fault(
  'MAPPING_UNUSABLE',
  400,
  'The mapping {name} cannot be used: {sentence}',
  'Ask the operator: mappings are files in the folder PARAPET_FORMATS_DIR, and `parapet formats try` tests them.',
);

export const SCAN_NOT_LAST = fault(
  'SCAN_NOT_LAST',
  409,
  'The scan is not the last one of its analysis; later scans depend on it.',
  'Undo the later scans of the same ref and tool first, the newest first.',
);

const text = (maxLength: number) => z.string().trim().min(1).max(maxLength);

export const importReport = operation({
  route: 'POST /api/v1/deployments/{deployment}/imports',
  summary: 'Import a scanner report',
  description:
    'The body is the report as the scanner wrote it, plain or gzip. Its findings are tracked: known findings are ' +
    'kept, new ones are opened, missing ones are fixed. Importing the same report for the same commit again changes ' +
    'nothing. An unknown project is created. `dryRun` only shows what would change.',
  maturity: 'beta',
  allow: 'scan:write',
  credential: 'any-token',
  isExtension: true,
  isStrict: true,
  path: { deployment: deployment() },
  query: {
    /** The project's name, such as `acme/web`. */
    project: text(512),
    ref: text(512).optional(),
    commit: z
      .string()
      .regex(/^[0-9a-fA-F]{7,64}$/)
      .optional(),
    format: oneOf(['auto', ...REPORT_FORMATS]).optional(),
    /** The operator's mapping to read the report with, for tools without a format. */
    mapping: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
      .optional(),
    /** Separates analyses of one tool, such as the parts of a monorepo. */
    category: text(128).optional(),
    /** What the report covers: a partial one closes no findings outside of the files that it names. */
    mode: oneOf(['full', 'partial', 'diff']).optional(),
    /** The checkout folder, if the report has absolute paths. */
    root: text(1024).optional(),
    dryRun: z.boolean().optional(),
  },
  upload: {
    types: [
      'application/json',
      'application/sarif+json',
      'application/xml',
      'text/xml',
      'text/csv',
      'text/plain',
      'application/gzip',
      'application/octet-stream',
      // The default of curl for files; the format is detected from the content.
      'application/x-www-form-urlencoded',
    ],
    limitBytes: MAX_REPORT_BYTES,
  },
  reply: {
    scanId: id('Scan'),
    format: z.string(),
    opened: z.int(),
    fixed: z.int(),
    reopened: z.int(),
    removed: z.int(),
    unchanged: z.int(),
    moved: z.int(),
    held: z.int(),
    warnings: z.array(z.string()),
  },
  faults: [REPORT_UNREADABLE, REPORT_TOO_COSTLY, MAPPING_UNUSABLE, TOKEN_PROJECT_LIMITED],
});

export const undoImport = operation({
  route: 'POST /api/v1/deployments/{deployment}/imports/{scanId}:undo',
  summary: 'Undo a scan',
  description:
    'Withdraws what the scan opened and restores what it closed, reopened or moved. Only the last scan of a ref and ' +
    'tool can be undone. Triage decisions are kept.',
  maturity: 'beta',
  allow: 'scan:write',
  isExtension: true,
  path: { deployment: deployment(), scanId: id('Scan') },
  reply: { withdrawn: z.int(), restored: z.int() },
  faults: [SCAN_NOT_LAST],
});

export const replayImport = operation({
  route: 'POST /api/v1/deployments/{deployment}/imports/{scanId}:replay',
  summary: 'Dry-run the stored report of a scan',
  description: 'Shows what the stored report would change today. Nothing is changed.',
  maturity: 'beta',
  allow: 'scan:read',
  transaction: 'manual',
  isExtension: true,
  path: { deployment: deployment(), scanId: id('Scan') },
  reply: importReport.reply.shape,
  faults: [REPORT_UNREADABLE, REPORT_TOO_COSTLY, MAPPING_UNUSABLE],
});
