import { z } from 'zod';
import { REPORT_FORMATS } from '#domain/reports/shape.ts';

/** The strict schema of report items: no other members, no NUL, no undefined. */
const text = z
  .string()
  .regex(/^[^\0]*$/)
  .refine((value) => value.isWellFormed());
const word = text.min(1);
const words = z.array(word).min(1);
const position = z.int().min(0);
const region = z.strictObject({ line: position, column: position, endLine: position, endColumn: position });
const severity = z.enum(['critical', 'high', 'medium', 'low', 'info']);
const confidence = z.enum(['high', 'medium', 'low']);
const product = z.enum(['sast', 'sca', 'secrets']);
const transitivity = z.enum(['direct', 'transitive', 'unknown']);
const run = z.int().min(0).exactOptional();

const facts = {
  title: word.exactOptional(),
  severity: severity.exactOptional(),
  confidence: confidence.exactOptional(),
  category: word.exactOptional(),
  cwes: z
    .array(z.string().regex(/^CWE-\d+$/))
    .min(1)
    .exactOptional(),
  owasps: words.exactOptional(),
  references: words.exactOptional(),
};

const finding = z.strictObject({
  kind: z.literal('finding'),
  run,
  product,
  rule: word,
  path: text,
  place: z.enum(['endpoint', 'resource']).exactOptional(),
  region,
  message: word,
  ...facts,
  code: word.exactOptional(),
  codeDigest: z
    .string()
    .regex(/^[\da-f]{64}$/)
    .exactOptional(),
  context: word.exactOptional(),
  scope: word.exactOptional(),
  fingerprints: z.record(z.string(), word),
  syntacticId: z
    .string()
    .regex(/^[\da-f]{32}$/)
    .exactOptional(),
  matchBasedId: word.exactOptional(),
  fix: word.exactOptional(),
  trace: z.unknown().exactOptional(),
  metadata: z.record(z.string(), z.unknown()).exactOptional(),
  isIgnoredInCode: z.boolean().exactOptional(),
  isBlocking: z.boolean().exactOptional(),
  sca: z
    .strictObject({
      advisories: z.array(word),
      package: word,
      version: text,
      ecosystem: text,
      transitivity,
      reachability: z.enum(['reachable', 'always reachable', 'conditionally reachable', 'unreachable']).exactOptional(),
      fixVersions: words.exactOptional(),
      isMalicious: z.boolean().exactOptional(),
    })
    .exactOptional(),
  secret: z
    .strictObject({
      type: word,
      value: word.exactOptional(),
      valueDigest: word.exactOptional(),
      validation: z.enum(['confirmed_valid', 'confirmed_invalid', 'validation_error', 'no_validator']).exactOptional(),
    })
    .exactOptional(),
});

export const reportedSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('tool'),
    run,
    name: word,
    format: z.enum(REPORT_FORMATS).exactOptional(),
    version: word.exactOptional(),
    category: word.exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('rule'),
    run,
    id: word,
    product: product.exactOptional(),
    description: word.exactOptional(),
    helpUrl: word.exactOptional(),
    isLateSecretRule: z.literal(true).exactOptional(),
    ...facts,
  }),
  finding,
  z.strictObject({
    kind: z.literal('dependency'),
    run,
    package: word,
    version: text,
    ecosystem: text,
    transitivity,
    path: text,
    line: z.int().min(1).exactOptional(),
    licenses: words.exactOptional(),
    resolvedUrl: word.exactOptional(),
    purl: word.exactOptional(),
    manifestPath: word.exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('coverage'),
    run,
    rulesRun: words.exactOptional(),
    pathsSearched: words.exactOptional(),
    pathsFailed: words.exactOptional(),
    rulesFailed: words.exactOptional(),
    renamedFrom: words.exactOptional(),
    isIncomplete: z.boolean().exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('decision'),
    run,
    source: z.enum(['sarif', 'vex']),
    advisory: word.exactOptional(),
    package: word.exactOptional(),
    ecosystem: word.exactOptional(),
    state: z.enum(['ignored', 'reviewing', 'fixing']),
    reason: z.enum(['acceptable_risk', 'false_positive', 'no_time']).exactOptional(),
    note: word.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('warning'), message: word }),
]);
