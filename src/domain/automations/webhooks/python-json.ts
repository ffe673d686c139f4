/**
 * JSON that survives Python: receivers parse the body and serialize it again, with `json.dumps` and compact separators,
 * before they check its signature. So the bytes must be those that Python writes. A test asks Python.
 */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

/** All but printable ASCII. Without the `u` flag it matches single UTF-16 units, as Python escapes them. */
const ESCAPED = /["\\]|[^ -~]/g;

const escapeUnit = (unit: string): string =>
  SHORT_ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const stringText = (text: string): string => `"${text.replace(ESCAPED, escapeUnit)}"`;

const MIN_FIXED_EXPONENT = -4;
const MAX_FIXED_EXPONENT = 16;

/** Python writes the same shortest digits as JavaScript, but changes to exponents elsewhere and pads them. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  if (Number.isInteger(value)) return BigInt(value).toString();
  const [digits = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent < MIN_FIXED_EXPONENT || exponent >= MAX_FIXED_EXPONENT) {
    const sign = exponent < 0 ? '-' : '+';
    return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  return fixedText(digits, exponent);
}

function fixedText(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1)}`;
}

/** Receivers in JavaScript move such members to the front. */
const isIntegerLike = (key: string): boolean => /^(0|[1-9]\d*)$/.test(key);

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

/** Compact ASCII text. Members with integer-like keys are left out. */
export function pythonJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return stringText(value);
  if (typeof value === 'number') return numberText(value);
  if (isList(value)) return `[${value.map(pythonJson).join(',')}]`;
  const members = Object.entries(value).filter(([key]) => !isIntegerLike(key));
  return `{${members.map(([key, member]) => `${stringText(key)}:${pythonJson(member)}`).join(',')}}`;
}
