import { LENGTH_MAX, VALUES_MAX } from '#domain/query/structure.ts';
import { termText } from '#domain/query/write.ts';

/** The filter for what is open in projects, in the words of the filter bar. */
export const openFilterOf = (...names: readonly string[]): string =>
  `is:open ${termText({ key: 'project', isNot: false, values: names.map((value) => ({ kind: 'exact', value })) })}`;

const fits = (names: readonly string[]) => names.length <= VALUES_MAX && openFilterOf(...names).length <= LENGTH_MAX;

/** Projects in groups whose filter is not too long to be asked; adding names at the end leaves the first groups be. */
export function askableGroups(names: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const name of names) {
    const last = groups.at(-1);
    if (last && fits([...last, name])) last.push(name);
    else groups.push([name]);
  }
  return groups;
}
