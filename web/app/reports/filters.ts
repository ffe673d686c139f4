import type { Key } from '#domain/query/keys.ts';
import { parse } from '#domain/query/parse.ts';
import { print } from '#domain/query/print.ts';
import type { Term } from '#domain/query/structure.ts';
import { CLOSED, CLOSED_NAMES, type ClosedName, type FilterTexts, OPEN, OPEN_NAMES } from './filter-table.ts';

/** A list as the address has it: commas between, and a backslash before a comma that belongs to a name. */
export const listText = (items: readonly string[]): string =>
  items.map((item) => item.replaceAll('\\', '\\\\').replaceAll(',', '\\,')).join(',');

export function listOf(text: string | undefined): string[] {
  const items = (text ?? '').match(/(?:\\[\s\S]|[^,\\])+/g) ?? [];
  return [...new Set(items.map((item) => item.replaceAll(/\\([\s\S])/g, '$1').trim()))].filter((item) => item !== '');
}

/** The words of a closed list that are in the address; others mean nothing and are left out. */
export const wordsOf = (name: ClosedName, text: string | undefined): string[] => {
  const known: readonly { word: string }[] = CLOSED[name].choices;
  return listOf(text).filter((word) => known.some((choice) => choice.word === word));
};

/** The filters as the API takes them. */
export function apiFilters(texts: FilterTexts): Record<string, string[]> {
  const closed = CLOSED_NAMES.map((name): [string, string[]] => {
    const chosen = wordsOf(name, texts[name]);
    return [CLOSED[name].member, CLOSED[name].choices.filter(({ word }) => chosen.includes(word)).map((c) => c.value)];
  });
  const open = OPEN_NAMES.map((name): [string, string[]] => [OPEN[name].member, listOf(texts[name])]);
  return Object.fromEntries([...closed, ...open].filter(([, values]) => values.length > 0));
}

const exact = (values: readonly string[]) => values.map((value) => ({ kind: 'exact' as const, value }));

/** The terms of the filter bar that say the same: what it was when it came up, and what its project is now. */
function termsOf(texts: FilterTexts): Term[] {
  const chosen = apiFilters(texts);
  const facts = [
    ...CLOSED_NAMES.map((name) => chosen[CLOSED[name].member] ?? []),
    listOf(texts.rules).map((name) => `rule-${name}`),
    listOf(texts.categories).map((name) => `category-${name}`),
  ];
  const projects: [Key, string[]][] = [
    ['project', listOf(texts.projects)],
    ['tag', listOf(texts.tags)],
    ['owner', listOf(texts.teams)],
  ];
  return [...facts.map((values): [Key, string[]] => ['raised-as', values]), ...projects].flatMap(([key, values]) =>
    values.length === 0 ? [] : [{ key, isNot: false, values: exact(values) }],
  );
}

const DAY_MS = 86_400_000;
const isMidnight = (at: Date) => at.getTime() % DAY_MS === 0;

/** What the filter bar calls a class of the report. */
const FATES: Record<string, string> = { provisionallyIgnored: 'provisionally_ignored' };

export interface Counted {
  texts: FilterTexts;
  /** The end of the whole report; the states of its last moment count. */
  until: Date | undefined;
  now: Date;
}

/**
 * The findings behind a number of the report: what came up in the bucket and is of that class, or of any, at the end
 * of the report. Undefined where the filter bar has no room for all that was chosen.
 */
export function findingsBehind(
  bucket: { since: Date; until: Date },
  className: string | undefined,
  { texts, until, now }: Counted,
): string | undefined {
  const isOver = until !== undefined && until <= now;
  const raised = {
    kind: 'range' as const,
    of: 'moment' as const,
    from: { at: bucket.since.toISOString() },
    // A bucket that ends at no midnight ends now.
    ...(isMidnight(bucket.until) ? { to: { at: bucket.until.toISOString() } } : {}),
  };
  const q = print({
    terms: [
      ...termsOf(texts),
      { key: 'raised', isNot: false, values: [raised] },
      ...(className === undefined ? [] : [termOf('guardrail', FATES[className] ?? className)]),
      ...(isOver ? [termOf('as-of', new Date(until.getTime() - 1).toISOString().slice(0, 10))] : []),
    ],
  });
  return parse(q).problems.length === 0 ? q : undefined;
}

const termOf = (key: Key, value: string): Term => ({ key, isNot: false, values: exact([value]) });
