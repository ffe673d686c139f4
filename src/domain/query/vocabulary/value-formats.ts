import { findEnumValue, RAISED_AS_FACTS } from './enum-values.ts';

/** Parses and formats values that have several spellings; `parse(format(value))` is `value`. */
export interface ValueFormat {
  /** The canonical value, or undefined if the text is not such a value. */
  parse: (text: string) => string | undefined;
  format: (value: string) => string;
  /** Completes the sentence "… is not understood here: write …". */
  description: string;
}

const unchanged = (value: string) => value;

export const CWE_FORMAT: ValueFormat = {
  parse: (text) => {
    const [, digits] = /^(?:cwe-)?(\d{1,6})$/i.exec(text) ?? [];
    return digits === undefined ? undefined : `CWE-${Number(digits)}`;
  },
  format: (value) => value.slice('CWE-'.length),
  description: 'a number such as 89 or CWE-89',
};

/** Some OWASP lists number their entries with two digits, others without a leading zero. */
const OWASP_DIGITS: Record<string, number> = { A: 2, LLM: 2, API: 1, M: 1 };

export const OWASP_FORMAT: ValueFormat = {
  parse: (text) => {
    const [, list = '', number = '', year] = /^([a-z]{1,3})(\d{1,2})(:\d{4})?$/i.exec(text) ?? [];
    const digits = OWASP_DIGITS[list.toUpperCase()];
    if (digits === undefined || Number(number) < 1 || Number(number) > 10) return undefined;
    return `${list.toUpperCase()}${String(Number(number)).padStart(digits, '0')}${year ?? ''}`;
  },
  format: (value) => value.toLowerCase(),
  description: 'a category such as a03 or a03:2021',
};

export const ADVISORY_FORMAT: ValueFormat = {
  parse: (text) => {
    const lower = text.toLowerCase();
    if (lower === 'ghsa' || lower.startsWith('ghsa-')) return `GHSA${lower.slice('ghsa'.length)}`;
    return lower === 'cve' || lower.startsWith('cve-') ? `CVE${text.slice('cve'.length)}` : text;
  },
  format: unchanged,
  description: 'an id such as CVE-2021-44228',
};

export const OWNER_FORMAT: ValueFormat = {
  parse: (text) => (text.startsWith('@') ? text.slice(1) : text),
  format: (value) => `@${value}`,
  description: 'a name such as @payments',
};

export const LOWER_CASE_FORMAT: ValueFormat = {
  parse: (text) => text.toLowerCase(),
  format: unchanged,
  description: 'a name',
};

/** Properties whose values are free names. */
const NAMED_FACT = /^(rule|category)-([\s\S]+)$/i;

export const FACT_FORMAT: ValueFormat = {
  parse: (text) => {
    const [, fact, name] = NAMED_FACT.exec(text) ?? [];
    return fact === undefined ? findEnumValue(RAISED_AS_FACTS, text)?.stored : `${fact.toLowerCase()}-${name}`;
  },
  format: (value) => RAISED_AS_FACTS.find(({ stored }) => stored === value)?.name ?? value,
  description: 'a fact such as severity-high, type-code or rule-acme.sql',
};
