import { termsOf, withTerm } from '#domain/query/edit.ts';
import { parse } from '#domain/query/parse.ts';
import { print } from '#domain/query/print.ts';

/** The filter of a number that counts what scanners found: the list has what workflows found too. */
export function ofScanners(q: string): string {
  const { query, problems } = parse(q);
  if (problems.length > 0 || termsOf(query, 'type').some(({ isNot }) => !isNot)) return q;
  return print(withTerm(query, { key: 'type', isNot: true, values: [{ kind: 'exact', value: 'workflow' }] }));
}
