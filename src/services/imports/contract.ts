import { z } from 'zod';
import { REPORT_FORMATS } from '#domain/reports/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, oneOf } from '#kernel/contract/proto-fields.ts';

const LIMIT_BYTES = 2 * 1024 ** 3;

export const REPORT_UNREADABLE = fault(
  'REPORT_UNREADABLE',
  400,
  'The report cannot be read: {sentence}',
  'Hand in the report as the scanner wrote it, or name its `format`; nothing was changed.',
);

export const REPORT_TOO_COSTLY = fault(
  'REPORT_TOO_COSTLY',
  413,
  'The report cannot be taken in: {sentence}',
  'Split the report, for instance by folder with a `category` for each part; nothing was changed.',
);

export const SCAN_NOT_LAST = fault(
  'SCAN_NOT_LAST',
  409,
  'The scan is not the last one of its analysis, so later ones were built upon it.',
  'Undo the later scans of the same ref and tool first, the newest first.',
);

const text = (most: number) => z.string().trim().min(1).max(most);

export const importReport = operation({
  route: 'POST /api/v1/deployments/{deployment}/imports',
  summary: "Hand in a scanner's report",
  description:
    'The body is the report as the scanner wrote it, plain or gzip. Its findings are tracked: what is known stays ' +
    'what it is, what is new is opened, what is gone is fixed. The same report of the same commit again changes ' +
    'nothing. A project that is not known yet is made. `dryRun` shows what would change.',
  maturity: 'beta',
  allow: 'scan:write',
  credential: 'any-token',
  isExtension: true,
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
    /** Sets analyses of one tool apart, such as the parts of a monorepo. */
    category: text(128).optional(),
    /** What the report covers: a partial one closes nothing outside of the files that it names. */
    mode: oneOf(['full', 'partial', 'diff']).optional(),
    /** The folder of the checkout, where the report has absolute paths. */
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
      // What curl says of a file when nobody told it: the content tells what it is.
      'application/x-www-form-urlencoded',
    ],
    limitBytes: LIMIT_BYTES,
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
  faults: [REPORT_UNREADABLE, REPORT_TOO_COSTLY],
});

export const undoImport = operation({
  route: 'POST /api/v1/deployments/{deployment}/imports/{scanId}:undo',
  summary: 'Take a scan back',
  description:
    'What the scan opened is withdrawn, what it closed, reopened or moved is as it was before. Only the last scan of ' +
    'a ref and tool can be taken back. What people decided stays.',
  maturity: 'beta',
  allow: 'scan:write',
  isExtension: true,
  path: { deployment: deployment(), scanId: id('Scan') },
  reply: { withdrawn: z.int(), restored: z.int() },
  faults: [SCAN_NOT_LAST],
});

export const replayImport = operation({
  route: 'POST /api/v1/deployments/{deployment}/imports/{scanId}:replay',
  summary: 'Show what the kept report of a scan would change today',
  description: 'A dry run of the report as it came: nothing is changed.',
  maturity: 'beta',
  allow: 'scan:read',
  transaction: 'manual',
  isExtension: true,
  path: { deployment: deployment(), scanId: id('Scan') },
  reply: importReport.reply.shape,
  faults: [REPORT_UNREADABLE, REPORT_TOO_COSTLY],
});
