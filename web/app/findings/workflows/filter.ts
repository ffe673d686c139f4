import type { Query, Term, Value } from '#domain/query/structure.ts';
import { termText } from '#domain/query/write.ts';

/** The part of the filter grammar that the list of Agentic Workflows knows, in its own words. */
export interface WorkflowFilters {
  titleQuery?: string;
  filePathQuery?: string;
  severities?: Word<'SEVERITY', 'INFO' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'>[];
  triageStates?: Word<
    'TRIAGE_STATE',
    'IGNORED' | 'OPEN' | 'REOPENED' | 'REVIEWING' | 'FIXING' | 'PROVISIONALLY_IGNORED' | 'FIXED'
  >[];
  triageReasons?: Word<'TRIAGE_REASON', 'FALSE_POSITIVE' | 'ACCEPTABLE_RISK' | 'NO_TIME'>[];
}

type Word<Prefix extends string, Names extends string> = `${Prefix}_${Names}`;
type States = NonNullable<WorkflowFilters['triageStates']>;

const STATES: Record<string, States> = {
  open: ['TRIAGE_STATE_OPEN', 'TRIAGE_STATE_REOPENED'],
  reopened: ['TRIAGE_STATE_REOPENED'],
  reviewing: ['TRIAGE_STATE_REVIEWING'],
  fixing: ['TRIAGE_STATE_FIXING'],
  provisionally_ignored: ['TRIAGE_STATE_PROVISIONALLY_IGNORED'],
  ignored: ['TRIAGE_STATE_IGNORED'],
  fixed: ['TRIAGE_STATE_FIXED'],
};
const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
const REASONS = ['false_positive', 'acceptable_risk', 'no_time'] as const;

const upper = <Prefix extends string, Names extends string>(prefix: Prefix, name: Names) =>
  `${prefix}_${name.toUpperCase()}` as `${Prefix}_${Uppercase<Names>}`;

const exacts = (values: readonly Value[]) => values.flatMap((value) => (value.kind === 'exact' ? [value.value] : []));

/** The longest stretch between stars: the API looks for a text inside of another. */
function pathQuery([value]: readonly Value[]): string | undefined {
  if (value?.kind === 'exact') return value.value;
  return value?.kind === 'glob' ? value.parts.toSorted((one, other) => other.length - one.length)[0] : undefined;
}

function filtersOfTerm({ key, isNot, values }: Term): WorkflowFilters | undefined {
  if (isNot) return undefined;
  const words = exacts(values);
  const [first] = values;
  switch (key) {
    case 'is':
      return words.every((word) => STATES[word])
        ? { triageStates: words.flatMap((word) => STATES[word] ?? []) }
        : undefined;
    case 'severity':
      return { severities: SEVERITIES.filter((name) => words.includes(name)).map((name) => upper('SEVERITY', name)) };
    case 'reason': {
      const known = REASONS.filter((name) => words.includes(name));
      return known.length === words.length
        ? { triageReasons: known.map((name) => upper('TRIAGE_REASON', name)) }
        : undefined;
    }
    case 'text':
      return first?.kind === 'text' && values.length === 1 ? { titleQuery: first.text } : undefined;
    case 'path': {
      const filePathQuery = values.length === 1 ? pathQuery(values) : undefined;
      return filePathQuery === undefined || filePathQuery === '' ? undefined : { filePathQuery };
    }
    default:
      return undefined;
  }
}

/** What the list is asked for, and the terms that it cannot be asked for. */
export function workflowFiltersOf(query: Query): { filters: WorkflowFilters; unknown: string[] } {
  let filters: WorkflowFilters = {};
  const unknown: string[] = [];
  for (const term of query.terms) {
    const own = filtersOfTerm(term);
    const isTaken = own !== undefined && Object.keys(own).some((name) => name in filters);
    if (own === undefined || isTaken) unknown.push(termText(term));
    else filters = { ...filters, ...own };
  }
  return { filters, unknown };
}
