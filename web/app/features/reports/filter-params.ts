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

/** A list as the address has it: commas between, and a backslash before a comma that belongs to a name. */
export const joinList = (items: readonly string[]): string =>
  items.map((item) => item.replaceAll('\\', '\\\\').replaceAll(',', '\\,')).join(',');

export function splitList(text: string | undefined): string[] {
  const items = (text ?? '').match(/(?:\\[\s\S]|[^,\\])+/g) ?? [];
  return [...new Set(items.map((item) => item.replaceAll(/\\([\s\S])/g, '$1').trim()))].filter((item) => item !== '');
}

/** The words of a closed list that are in the address; others mean nothing and are left out. */
export const choiceWordsOf = (name: ChoiceFilterName, text: string | undefined): string[] => {
  const known: readonly { word: string }[] = CHOICE_FILTERS[name].choices;
  return splitList(text).filter((word) => known.some((choice) => choice.word === word));
};

/** The filters as the API takes them. */
export function apiFilters(texts: GuardrailsFilterTexts): Record<string, string[]> {
  const closed = CHOICE_FILTER_NAMES.map((name): [string, string[]] => {
    const chosen = choiceWordsOf(name, texts[name]);
    return [
      CHOICE_FILTERS[name].member,
      CHOICE_FILTERS[name].choices.filter(({ word }) => chosen.includes(word)).map((c) => c.value),
    ];
  });
  const open = NAME_FILTER_NAMES.map((name): [string, string[]] => [NAME_FILTERS[name].member, splitList(texts[name])]);
  return Object.fromEntries([...closed, ...open].filter(([, values]) => values.length > 0));
}

const exact = (values: readonly string[]) => values.map((value) => ({ kind: 'exact' as const, value }));

/** The terms of the filter bar that say the same: what it was when it came up, and what its project is now. */
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
    ([key, values]) => (values.length === 0 ? [] : [{ key, isNot: false, values: exact(values) }]),
  );
}

const DAY_MS = 86_400_000;
const isMidnight = (at: Date) => at.getTime() % DAY_MS === 0;

/** What the filter bar calls a class of the report. */
const FATES: Record<string, string> = { provisionallyIgnored: 'provisionally_ignored' };

export interface GuardrailsScope {
  texts: GuardrailsFilterTexts;
  /** The end of the whole report; the states of its last moment count. */
  until: Date | undefined;
  now: Date;
}

/**
 * The findings behind a number of the report: what came up in the bucket and is of that class, or of any, at the end
 * of the report. Undefined where the filter bar has no room for all that was chosen.
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
    // A bucket that ends at no midnight ends now.
    ...(isMidnight(bucket.until) ? { to: { at: bucket.until.toISOString() } } : {}),
  };
  const q = formatQuery({
    terms: [
      ...termsOf(texts),
      { key: 'raised', isNot: false, values: [raised] },
      ...(className === undefined ? [] : [termOf('guardrail', FATES[className] ?? className)]),
      ...(isOver ? [termOf('as-of', new Date(until.getTime() - 1).toISOString().slice(0, 10))] : []),
    ],
  });
  return parseFilter(q).problems.length === 0 ? q : undefined;
}

const termOf = (key: FilterKey, value: string): Term => ({ key, isNot: false, values: exact([value]) });
