import type { FilterKey } from './vocabulary/keys.ts';

/** A parsed filter: all of its terms must match. In canonical form, so that equal queries are deeply equal. */
export interface Query {
  readonly terms: readonly Term[];
}

/** Matches if at least one value does; with `isNot`, if none does. Has at least one value. */
export interface Term {
  readonly key: FilterKey;
  readonly isNot: boolean;
  readonly values: readonly TermValue[];
}

/** A value in its stored form: enum names of the API, `CWE-89`, milliseconds, ISO 8601. */
export type TermValue =
  | { readonly kind: 'exact'; readonly value: string }
  /** The parts between the stars, at least two; a star matches any characters, including slashes, or none. */
  | { readonly kind: 'glob'; readonly parts: readonly string[] }
  | { readonly kind: 'text'; readonly text: string }
  | NumberRange
  | DurationRange
  | TimeRange;

/** `from` and `to` are inclusive; `above` and `below` are exclusive and used alone. */
export interface NumberRange {
  readonly kind: 'range';
  readonly of: 'number';
  readonly from?: number;
  readonly to?: number;
  readonly above?: number;
  readonly below?: number;
}

/** The lower end is inclusive, the upper exclusive; at least one is given. */
export interface DurationRange {
  readonly kind: 'range';
  readonly of: 'duration';
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** `from` is inclusive, `to` exclusive; at least one is given. */
export interface TimeRange {
  readonly kind: 'range';
  readonly of: 'moment';
  readonly from?: TimePoint;
  readonly to?: TimePoint;
}

/** An instant in ISO 8601 (UTC midnight), or a duration before the time at which the query runs. */
export type TimePoint = { readonly at: string } | { readonly agoMs: number };

export type FilterProblemCode =
  | 'TOO_LONG'
  | 'TOO_MANY_TERMS'
  | 'TOO_MANY_VALUES'
  | 'UNCLOSED_QUOTE'
  | 'UNKNOWN_KEY'
  | 'EMPTY_VALUE'
  | 'UNKNOWN_VALUE';

/** An error in a part of the text, and how to correct it. */
export interface FilterProblem {
  readonly code: FilterProblemCode;
  /** The range in the text, in UTF-16 code units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** Possible replacements, the closest first. */
  readonly suggestions: readonly string[];
}

export const MAX_FILTER_LENGTH = 2000;
export const MAX_TERMS = 50;
export const MAX_VALUES_PER_TERM = 100;
