import type { FilterKey } from './vocabulary/keys.ts';

/** A filter as data: all of its terms hold. Kept in canonical form, so that equal views are deeply equal. */
export interface Query {
  readonly terms: readonly Term[];
}

/** Holds when at least one of the values does; with `isNot`, when none does. Has at least one value. */
export interface Term {
  readonly key: FilterKey;
  readonly isNot: boolean;
  readonly values: readonly TermValue[];
}

/** One thing to compare with, already in the form that is stored: words of the API, `CWE-89`, milliseconds, ISO. */
export type TermValue =
  | { readonly kind: 'exact'; readonly value: string }
  /** What stands between the stars, at least two parts; a star is any characters, also none and also slashes. */
  | { readonly kind: 'glob'; readonly parts: readonly string[] }
  | { readonly kind: 'text'; readonly text: string }
  | NumberRange
  | DurationRange
  | TimeRange;

/** `from` and `to` belong to the range; `above` and `below` do not, and stand alone. */
export interface NumberRange {
  readonly kind: 'range';
  readonly of: 'number';
  readonly from?: number;
  readonly to?: number;
  readonly above?: number;
  readonly below?: number;
}

/** From the lower end on, up to but without the upper; at least one of them is there. */
export interface DurationRange {
  readonly kind: 'range';
  readonly of: 'duration';
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** From a moment on, up to but without the other; at least one of them is there. */
export interface TimeRange {
  readonly kind: 'range';
  readonly of: 'moment';
  readonly from?: TimePoint;
  readonly to?: TimePoint;
}

/** An instant in ISO 8601 (UTC midnight), or so long before the moment at which the query runs. */
export type TimePoint = { readonly at: string } | { readonly agoMs: number };

export type FilterProblemCode =
  | 'TOO_LONG'
  | 'TOO_MANY_TERMS'
  | 'TOO_MANY_VALUES'
  | 'UNCLOSED_QUOTE'
  | 'UNKNOWN_KEY'
  | 'EMPTY_VALUE'
  | 'UNKNOWN_VALUE';

/** What is wrong with a part of the text, and what to do about it. */
export interface FilterProblem {
  readonly code: FilterProblemCode;
  /** Where in the text, in UTF-16 units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** What could stand there instead, the nearest first. */
  readonly suggestions: readonly string[];
}

export const MAX_FILTER_LENGTH = 2000;
export const MAX_TERMS = 50;
export const MAX_VALUES_PER_TERM = 100;
