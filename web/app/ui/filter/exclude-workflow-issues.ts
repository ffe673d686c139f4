import { termsForKey, withTerm } from '#domain/query/edit-query.ts';
import { formatQuery } from '#domain/query/format-query.ts';
import { parseFilter } from '#domain/query/parse-filter.ts';

/** Adds `-type:workflow` to a filter: counts cover scanner findings only, but the list also has workflow issues. */
export function excludeWorkflowIssues(q: string): string {
  const { query, problems } = parseFilter(q);
  if (problems.length > 0 || termsForKey(query, 'type').some(({ isNot }) => !isNot)) return q;
  return formatQuery(withTerm(query, { key: 'type', isNot: true, values: [{ kind: 'exact', value: 'workflow' }] }));
}
