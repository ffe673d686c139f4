import type { Key } from '#domain/query/keys.ts';
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

/** What the words of the filter bar are called inside of it. */
const STORED: Record<string, string> = {
  'type code': 'sast',
  'type dependency': 'sca',
  'type secret': 'secrets',
  'reachability always-reachable': 'always_reachable',
  'reachability conditionally-reachable': 'conditionally_reachable',
  'reachability unknown': 'no_reachability_analysis',
  'validity valid': 'confirmed_valid',
  'validity invalid': 'confirmed_invalid',
  'validity error': 'validation_error',
  'validity unknown': 'no_validator',
};

/** The terms of the filter bar that say the same; what it has no key for is left out. */
function termsOf(texts: FilterTexts): Term[] {
  const closed = CLOSED_NAMES.map((name) => {
    const { key } = CLOSED[name];
    return { key, values: wordsOf(name, texts[name]).map((word) => STORED[`${key} ${word}`] ?? word) };
  });
  const open = OPEN_NAMES.map((name) => ({ key: OPEN[name].key, values: listOf(texts[name]) }));
  return [...closed, ...open].flatMap(({ key, values }) =>
    key === undefined || values.length === 0 ? [] : [{ key: key as Key, isNot: false, values: exact(values) }],
  );
}

const HOUR_MS = 3_600_000;

/** States of the filter bar that are nearest to a class of the report. */
const STATES: Record<string, string[]> = {
  open: ['open', 'reviewing', 'fixing'],
  fixed: ['fixed'],
  ignored: ['ignored'],
  provisionallyIgnored: ['provisionally_ignored'],
};

/** How the refs of pull and merge requests begin. */
const PULL_REQUESTS = ['refs/pull/', 'refs/merge-requests/', 'refs/pull-requests/'];

/**
 * The findings nearest to a number of the report: of pull requests, with a policy that shows them, first seen in the
 * bucket, and in that state now. The filter bar has no word for episodes, so the list may differ from the number.
 */
export function nearestQuery(
  bucket: { since: Date; until: Date },
  className: string,
  { texts, now }: { texts: FilterTexts; now: Date },
): string {
  const hours = (at: Date) => Math.max(0, (now.getTime() - at.getTime()) / HOUR_MS);
  const [youngest, oldest] = [Math.floor(hours(bucket.until)), Math.ceil(hours(bucket.since))];
  const age = {
    kind: 'range' as const,
    of: 'duration' as const,
    ...(youngest > 0 ? { fromMs: youngest * HOUR_MS } : {}),
    toMs: oldest * HOUR_MS,
  };
  const states = STATES[className];
  return print({
    terms: [
      ...termsOf(texts),
      { key: 'age', isNot: false, values: [age] },
      { key: 'branch', isNot: false, values: PULL_REQUESTS.map((start) => ({ kind: 'glob', parts: [start, ''] })) },
      { key: 'mode', isNot: false, values: exact(['block', 'comment']) },
      ...(states ? [{ key: 'is' as const, isNot: false, values: exact(states) }] : []),
    ],
  });
}
