import type { FieldError } from '#kernel/contract/fault.ts';
import { PATTERN_KEYS_BY_MODE, RULE_LANGUAGES, RULE_SEVERITIES } from './rule-syntax.ts';
import type { Rule } from './shape.ts';

export const MAX_RULE_BYTES = 1024 * 1024;
const MAX_DEPTH = 40;
const MAX_NODES = 50_000;
const MAX_LANGUAGES = 32;
const RULE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
/** The prefix of shipped rule ids; it is reserved so that findings show where a rule comes from. */
const SHIPPED_PREFIX = 'parapet.';

/** The one rule of a definition, or its errors. Patterns are never run here, only by the user's engine. */
export type DefinitionResult = { rule: Rule; errors?: never } | { rule?: never; errors: FieldError[] };

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const refused = (pointer: string, code: string, detail: string): { errors: FieldError[] } => ({
  errors: [{ pointer, code, detail }],
});

/**
 * Parses a definition: an object whose `rules` is a list of exactly one rule.
 * Scanners convert YAML to JSON before they publish. No YAML is parsed here, as a few hundred bytes can take seconds.
 */
export function parseDefinition(definition: unknown): DefinitionResult {
  const sizeError = findSizeError(definition);
  if (sizeError) return { errors: [sizeError] };
  const rules = isObject(definition) ? definition['rules'] : undefined;
  if (!Array.isArray(rules)) return refused('#/rules', 'REQUIRED', 'expected a list of one rule');
  if (rules.length !== 1) return refused('#/rules', 'ONE_RULE', `expected exactly one rule, not ${rules.length}`);
  const rule: unknown = rules[0];
  if (!isObject(rule)) return refused('#/rules/0', 'TYPE', 'expected an object');
  const errors = [...validateFields(rule), ...validatePatterns(rule)].map(([member, code, detail]) => ({
    pointer: `#/rules/0${member && `/${member}`}`,
    code,
    detail,
  }));
  return errors.length > 0 ? { errors } : { rule: rule as Rule };
}

/** Iterates without recursion, so that deep nesting cannot overflow the stack. */
function findSizeError(definition: unknown): FieldError | undefined {
  const open: [value: unknown, level: number][] = [[definition, 1]];
  let nodes = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, level] = next;
    const texts = typeof value === 'string' ? [value] : isObject(value) ? Object.keys(value) : [];
    if (texts.some((text) => text.includes('\0') || !text.isWellFormed()))
      return { pointer: '#', code: 'TEXT', detail: 'has a text with characters that cannot be stored' };
    if (typeof value === 'bigint')
      return { pointer: '#', code: 'NUMBER', detail: 'has an integer too large to be kept exactly' };
    if (typeof value !== 'object' || value === null) continue;
    if (level > MAX_DEPTH)
      return { pointer: '#', code: 'TOO_DEEP', detail: `is nested deeper than ${MAX_DEPTH} levels` };
    for (const inner of Object.values(value)) open.push([inner, level + 1]);
    nodes += 1;
    if (nodes + open.length > MAX_NODES)
      return { pointer: '#', code: 'TOO_LARGE', detail: `has more than ${MAX_NODES} parts` };
  }
  if (Buffer.byteLength(JSON.stringify(definition) ?? '') > MAX_RULE_BYTES)
    return { pointer: '#', code: 'TOO_LARGE', detail: `is larger than ${MAX_RULE_BYTES} bytes` };
  return undefined;
}

type DefinitionError = [member: string, code: string, detail: string];

function validateFields(rule: Members): DefinitionError[] {
  const { id, message, severity, languages, metadata } = rule;
  const errors: DefinitionError[] = [];
  if (typeof id !== 'string' || !RULE_ID.test(id))
    errors.push(['id', 'RULE_ID', 'expected 1 to 200 letters, digits, dots, dashes and underscores']);
  else if (id.startsWith(SHIPPED_PREFIX))
    errors.push(['id', 'RESERVED', `ids that start with ${SHIPPED_PREFIX} are reserved for this server`]);
  if (typeof message !== 'string' || message.trim() === '')
    errors.push(['message', 'REQUIRED', 'expected a text that says what is wrong and what to do']);
  if (!RULE_SEVERITIES.some((word) => word === severity))
    errors.push(['severity', 'UNKNOWN_WORD', `expected one of ${RULE_SEVERITIES.join(', ')}`]);
  if (!Array.isArray(languages) || languages.length === 0 || languages.length > MAX_LANGUAGES)
    errors.push(['languages', 'REQUIRED', `expected a list of 1 to ${MAX_LANGUAGES} languages`]);
  else
    for (const [index, language] of languages.entries())
      if (!RULE_LANGUAGES.has(language))
        errors.push([`languages/${index}`, 'UNKNOWN_WORD', 'is not a language of the engine']);
  if (metadata !== undefined && !isObject(metadata)) errors.push(['metadata', 'TYPE', 'expected an object']);
  return errors;
}

function validatePatterns(rule: Members): DefinitionError[] {
  const mode = rule['mode'] ?? 'search';
  const groups =
    typeof mode === 'string' && Object.hasOwn(PATTERN_KEYS_BY_MODE, mode) ? PATTERN_KEYS_BY_MODE[mode] : undefined;
  if (!groups) return [['mode', 'UNKNOWN_WORD', `expected one of ${Object.keys(PATTERN_KEYS_BY_MODE).join(', ')}`]];
  const isFilled = (key: string) => {
    const value = rule[key];
    return typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null;
  };
  if (groups.some((keys) => keys.every(isFilled))) return [];
  const expected = groups.map((keys) => keys.join(' with ')).join(', ');
  return [['', 'NO_PATTERN', `has no pattern: expected one of ${expected}`]];
}
