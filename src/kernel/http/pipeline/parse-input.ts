import type { z } from 'zod';
import { INVALID_JSON, INVALID_PATH, VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { type FieldError, fitSentence, quoteBriefly } from '#kernel/contract/fault.ts';
import { fieldErrorsFault } from '#kernel/contract/field-errors.ts';
import { fieldKinds } from '#kernel/contract/field-kinds.ts';
import { normaliserOf, spellingsOf } from '#kernel/contract/normalise.ts';
import type { Operation } from '#kernel/contract/operation.ts';
import { escapePointer, unknownMemberError, unknownMembers } from '#kernel/contract/unknown-members.ts';
import { JsonParseError } from '../json/json-error.ts';
import { jsonLimitsFor, parseJson } from '../json/parse-json.ts';
import { parseQueryString, QueryStringError, splitList } from '../request/query-string.ts';

export interface ParsedInput {
  /** As the contract decodes it. */
  value: Record<string, unknown>;
  /** As it was sent, in the spelling of the contract: a cursor is bound to this. */
  wire: Record<string, unknown>;
}

/** Parses the path parameters; the deployment is resolved by the authenticator. */
export function parsePath(operation: Operation, params: Record<string, string>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, schema] of Object.entries(operation.path.shape)) {
    const parsed = schema.safeParse(params[name]);
    if (!parsed.success) {
      const reason = parsed.error.issues[0]?.message ?? 'not valid';
      throw INVALID_PATH({ name, reason }, { errors: [{ pointer: `path/${name}`, code: 'INVALID', detail: reason }] });
    }
    result[name] = String(parsed.data);
  }
  return result;
}

/** With `isStrict`, members and parameters that the contract does not have are refused; otherwise they are ignored. */
export interface InputHandling {
  isStrict: boolean;
}

export function parseQueryOf(operation: Operation, rawQuery: string, { isStrict }: InputHandling): ParsedInput {
  if (Object.keys(operation.query.shape).length === 0 && !isStrict) return { value: {}, wire: {} };
  const wire: Record<string, unknown> = {};
  const given = readQuery(rawQuery);
  const errors = isStrict ? unknownParameters(operation, given) : [];
  for (const [name, schema] of Object.entries(operation.query.shape)) {
    const values = spellingsOf(name).flatMap((spelling) => given.get(spelling) ?? []);
    if (values.length === 0) continue;
    const kind = kindOf(schema);
    if (kind === 'array') wire[name] = splitList(values).map((value) => fromText(value, elementKindOf(schema)));
    else if (values.length > 1)
      errors.push({ pointer: `query/${name}`, code: 'REPEATED', detail: 'may be given only once' });
    else wire[name] = fromText(values[0] ?? '', kind);
  }
  return check(operation.query, { wire, errors, prefix: 'query' });
}

function unknownParameters({ query }: Operation, given: Map<string, string[]>): FieldError[] {
  const names = Object.keys(query.shape);
  const known = new Set(names.flatMap(spellingsOf));
  return [...given.keys()]
    .filter((name) => !known.has(name))
    .slice(0, MAX_LISTED_ERRORS)
    .map((name) => unknownMemberError('query', name, names));
}

function readQuery(rawQuery: string): Map<string, string[]> {
  try {
    return parseQueryString(rawQuery);
  } catch (error) {
    if (!(error instanceof QueryStringError)) throw error;
    throw refused([{ pointer: `query/${quoteBriefly(error.parameter)}`, code: 'MALFORMED', detail: error.message }]);
  }
}

export interface ResolvedPath {
  /** With the id of the deployment, also when the request sent its slug. */
  path: Record<string, string>;
  /** As the request sent it. */
  params: Record<string, string>;
}

export function parseBody(
  operation: Operation,
  bytes: Uint8Array,
  { path, params, isStrict }: ResolvedPath & InputHandling,
): ParsedInput {
  const raw = bytes.length === 0 ? {} : readJson(bytes, operation.bodyLimitBytes);
  const errors = isStrict ? unknownMembersOf(operation, raw) : [];
  const wire = normaliserOf(operation.body)(raw, '#', errors) as Record<string, unknown>;
  for (const name of Object.keys(operation.body.shape)) {
    const given = wire?.[name];
    // Other types cannot be compared, and the schema refuses them.
    const isComparable = typeof given === 'string' || typeof given === 'number';
    if (name in path && isComparable && ![path[name], params[name]].includes(String(given)))
      errors.push({ pointer: `#/${name}`, code: 'PATH_MISMATCH', detail: 'does not agree with the path' });
  }
  return check(operation.body, { wire, errors, prefix: '#' });
}

function unknownMembersOf({ body }: Operation, raw: unknown): FieldError[] {
  const errors: FieldError[] = [];
  for (const error of unknownMembers(body, raw, '#')) {
    errors.push(error);
    if (errors.length === MAX_LISTED_ERRORS) break;
  }
  return errors;
}

function readJson(bytes: Uint8Array, limitBytes: number | undefined): unknown {
  try {
    return parseJson(bytes, limitBytes === undefined ? {} : jsonLimitsFor(limitBytes));
  } catch (error) {
    if (!(error instanceof JsonParseError)) throw error;
    throw INVALID_JSON({ reason: error.reason, line: error.line, column: error.column });
  }
}

function check(schema: z.ZodObject, found: { wire: Record<string, unknown>; errors: FieldError[]; prefix: string }) {
  const parsed = schema.safeParse(found.wire);
  const errors = [
    ...found.errors,
    ...(parsed.error?.issues ?? []).flatMap((issue) => fieldErrors(issue, found.prefix)),
  ];
  if (!parsed.success || errors.length > 0) throw refused(errors);
  return { value: parsed.data as Record<string, unknown>, wire: found.wire };
}

const MAX_LISTED_ERRORS = 50;

const refused = (errors: readonly FieldError[]) => fieldErrorsFault(VALIDATION_FAILED, errors, MAX_LISTED_ERRORS);

function fieldErrors(issue: z.core.$ZodIssue, prefix: string): FieldError[] {
  const pointer = [prefix, ...issue.path.map(escapePointer)].join('/');
  const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  const detail = isMissing ? 'is required' : issue.message.replace(/^Invalid input: /, '');
  return [{ pointer, code: isMissing ? 'REQUIRED' : issue.code.toUpperCase(), detail: fitSentence(detail) }];
}

type ValueKind = 'array' | 'number' | 'boolean' | 'text';

interface Definition {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  in?: z.ZodType;
}

const definitionOf = (schema: z.ZodType) => schema.def as unknown as Definition;

/** The schema without the optional, default and codec that wrap it. */
function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType, in: input } = definitionOf(schema);
  if (fieldKinds.get(schema)) return schema;
  if (innerType) return unwrap(innerType);
  return input ? unwrap(input) : schema;
}

/** Field kinds that are JSON numbers on the wire; all others are text. */
const NUMERIC: ReadonlySet<string> = new Set(['page', 'page_size']);

function kindOf(schema: z.ZodType): ValueKind {
  const inner = unwrap(schema);
  const kind = fieldKinds.get(inner)?.kind;
  if (kind) return NUMERIC.has(kind) ? 'number' : 'text';
  const { type } = definitionOf(inner);
  return type === 'array' || type === 'number' || type === 'boolean' ? type : 'text';
}

function elementKindOf(schema: z.ZodType): ValueKind {
  const { element } = definitionOf(unwrap(schema));
  return element ? kindOf(element) : 'text';
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/**
 * Converts a query value to the type of its contract; a value that does not fit stays text, and the schema refuses it.
 */
function fromText(text: string, kind: ValueKind): unknown {
  if (kind === 'number') return NUMBER.test(text) && text.length <= 20 ? Number(text) : text;
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text.endsWith('_UNSPECIFIED') ? undefined : text;
}
