import { MAX_FILTER_LENGTH, MAX_VALUES_PER_TERM } from '#domain/query/ast.ts';
import { formatTerm } from '#domain/query/format-term.ts';

/** The filter for the open findings of some projects. */
export const openFindingsFilter = (...names: readonly string[]): string =>
  `is:open ${formatTerm({ key: 'project', isNot: false, values: names.map((value) => ({ kind: 'exact', value })) })}`;

const fits = (names: readonly string[]) =>
  names.length <= MAX_VALUES_PER_TERM && openFindingsFilter(...names).length <= MAX_FILTER_LENGTH;

/** Splits projects into groups whose filters fit the API's limits; appended names do not change earlier groups. */
export function splitByFilterLimit(names: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const name of names) {
    const last = groups.at(-1);
    if (last && fits([...last, name])) last.push(name);
    else groups.push([name]);
  }
  return groups;
}
