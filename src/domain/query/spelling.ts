import { FACTS, wordNamed } from './words.ts';

/** How a value that has several spellings is kept and shown. What it reads from its own writing is what it wrote. */
export interface Spelling {
  /** The one form that is kept, or undefined where the text cannot be such a value. */
  read: (text: string) => string | undefined;
  write: (value: string) => string;
  /** Ends the sentence "… is not understood here: write …". */
  called: string;
}

const asKept = (value: string) => value;

export const CWE: Spelling = {
  read: (text) => {
    const [, digits] = /^(?:cwe-)?(\d{1,6})$/i.exec(text) ?? [];
    return digits === undefined ? undefined : `CWE-${Number(digits)}`;
  },
  write: (value) => value.slice('CWE-'.length),
  called: 'a number such as 89 or CWE-89',
};

/** The lists of OWASP number their entries with two digits, or without a leading zero. */
const OWASP_DIGITS: Record<string, number> = { A: 2, LLM: 2, API: 1, M: 1 };

export const OWASP: Spelling = {
  read: (text) => {
    const [, list = '', number = '', year] = /^([a-z]{1,3})(\d{1,2})(:\d{4})?$/i.exec(text) ?? [];
    const digits = OWASP_DIGITS[list.toUpperCase()];
    if (digits === undefined || Number(number) < 1 || Number(number) > 10) return undefined;
    return `${list.toUpperCase()}${String(Number(number)).padStart(digits, '0')}${year ?? ''}`;
  },
  write: (value) => value.toLowerCase(),
  called: 'a category such as a03 or a03:2021',
};

export const ADVISORY: Spelling = {
  read: (text) => {
    const lower = text.toLowerCase();
    if (lower === 'ghsa' || lower.startsWith('ghsa-')) return `GHSA${lower.slice('ghsa'.length)}`;
    return lower === 'cve' || lower.startsWith('cve-') ? `CVE${text.slice('cve'.length)}` : text;
  },
  write: asKept,
  called: 'an id such as CVE-2021-44228',
};

export const OWNER: Spelling = {
  read: (text) => (text.startsWith('@') ? text.slice(1) : text),
  write: (value) => `@${value}`,
  called: 'a name such as @payments',
};

export const LOWER_CASE: Spelling = { read: (text) => text.toLowerCase(), write: asKept, called: 'a name' };

/** Facts that are names, which nobody can list. */
const NAMED_FACT = /^(rule|category)-([\s\S]+)$/i;

export const FACT: Spelling = {
  read: (text) => {
    const [, fact, name] = NAMED_FACT.exec(text) ?? [];
    return fact === undefined ? wordNamed(FACTS, text)?.stored : `${fact.toLowerCase()}-${name}`;
  },
  write: (value) => FACTS.find(({ stored }) => stored === value)?.word ?? value,
  called: 'a fact such as severity-high, type-code or rule-acme.sql',
};
