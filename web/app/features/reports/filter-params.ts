import type { Term } from '#domain/query/ast.ts';
import { formatQuery } from '#domain/query/format-query.ts';
import { parseFilter } from '#domain/query/parse-filter.ts';
import type { FilterKey } from '#domain/query/vocabulary/keys.ts';
import {
  CHOICE_FILTER_NAMES,
  CHOICE_FILTERS,
  type ChoiceFilterName,
  type GuardrailsFilterTexts,
  NAME_FILTER_NAMES,
  NAME_FILTERS,
} from './filter-definitions.ts';

/** Joins a list with commas for the URL; a backslash escapes a comma within a name. */
export const joinList = (items: readonly string[]): string =>
  items.map((item) => item.replaceAll('\\', '\\\\').replaceAll(',', '\\,')).join(',');

export function splitList(text: string | undefined): string[] {
  const items = (text ?? '').match(/(?:\\[\s\S]|[^,\\])+/g) ?? [];
  return [...new Set(items.map((item) => item.replaceAll(/\\([\s\S])/g, '$1').trim()))].filter((item) => item !== '');
}

/** The known choices in the URL's value; unknown words are ignored. */
export const choiceWordsOf = (name: ChoiceFilterName, text: string | undefined): string[] => {
  const known: readonly { word: string }[] = CHOICE_FILTERS[name].choices;
  return splitList(text).filter((word) => known.some((choice) => choice.word === word));
};

/** The filters as members of the API's request. */
export function apiFilters(texts: GuardrailsFilterTexts): Record<string, string[]> {
  const choices = CHOICE_FILTER_NAMES.map((name): [string, string[]] => {
    const chosen = choiceWordsOf(name, texts[name]);
    return [
      CHOICE_FILTERS[name].member,
      CHOICE_FILTERS[name].choices.filter(({ word }) => chosen.includes(word)).map(({ value }) => value),
    ];
  });
  const names = NAME_FILTER_NAMES.map((name): [string, string[]] => [
    NAME_FILTERS[name].member,
    splitList(texts[name]),
  ]);
  return Object.fromEntries([...choices, ...names].filter(([, values]) => values.length > 0));
}

const exactValues = (values: readonly string[]) => values.map((value) => ({ kind: 'exact' as const, value }));

/** The same filters as filter terms: `raised-as` for facts at the time, the others for the project as it is now. */
function termsOf(texts: GuardrailsFilterTexts): Term[] {
  const chosen = apiFilters(texts);
  const facts = [
    ...CHOICE_FILTER_NAMES.map((name) => chosen[CHOICE_FILTERS[name].member] ?? []),
    splitList(texts.rules).map((name) => `rule-${name}`),
    splitList(texts.categories).map((name) => `category-${name}`),
  ];
  const projects: [FilterKey, string[]][] = [
    ['project', splitList(texts.projects)],
    ['tag', splitList(texts.tags)],
    ['owner', splitList(texts.teams)],
  ];
  return [...facts.map((values): [FilterKey, string[]] => ['raised-as', values]), ...projects].flatMap(
    ([key, values]) => (values.length === 0 ? [] : [{ key, isNot: false, values: exactValues(values) }]),
  );
}

const DAY_MS = 86_400_000;
const isMidnight = (at: Date) => at.getTime() % DAY_MS === 0;

/** The filter's words for the classes of the report. */
const CLASS_WORDS: Record<string, string> = { provisionallyIgnored: 'provisionally_ignored' };

export interface GuardrailsScope {
  texts: GuardrailsFilterTexts;
  /** The end of the report; states are counted as of then. */
  until: Date | undefined;
  now: Date;
}

/**
 * The filter for the findings that a number counts: those that appeared in the bucket and have the class, or any, at
 * the end of the report. Undefined if the filter would exceed the limits of the filter language.
 */
export function findingsFilterOf(
  bucket: { since: Date; until: Date },
  className: string | undefined,
  { texts, until, now }: GuardrailsScope,
): string | undefined {
  const isOver = until !== undefined && until <= now;
  const raised = {
    kind: 'range' as const,
    of: 'moment' as const,
    from: { at: bucket.since.toISOString() },
    // A bucket that does not end at midnight ends now.
    ...(isMidnight(bucket.until) ? { to: { at: bucket.until.toISOString() } } : {}),
  };
  const q = formatQuery({
    terms: [
      ...termsOf(texts),
      { key: 'raised', isNot: false, values: [raised] },
      ...(className === undefined ? [] : [termOf('guardrail', CLASS_WORDS[className] ?? className)]),
      ...(isOver ? [termOf('as-of', new Date(until.getTime() - 1).toISOString().slice(0, 10))] : []),
    ],
  });
  return parseFilter(q).problems.length === 0 ? q : undefined;
}

const termOf = (key: FilterKey, value: string): Term => ({ key, isNot: false, values: exactValues([value]) });
